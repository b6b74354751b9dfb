import { accountSession } from '@trestle/sdk/token-source'
import { createTrestle } from '@trestle/sdk/trestle'

const [, , url = 'http://127.0.0.1:8080'] = process.argv
const trestle = createTrestle({ url })
const demo = { email: 'demo@trestle.local', password: 'correct horse battery staple' }
const me = trestle.with({ token: accountSession(trestle, demo) })

const [chain = ''] = await me.staking.chains.list()
const withdrawalAddress = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
// Retried if the connection fails: an Idempotency-Key makes sure that there is one validator.
const { pubkey, depositData } = await me.staking.validators.create({ params: { chain }, body: { withdrawalAddress } })
console.log(`Send 32 ETH with ${depositData.slice(0, 10)}... to make ${pubkey} a validator.`)

for (const { pubkey, status, phase } of await me.staking.validators.list({ params: { chain } })) console.log(pubkey, status, phase)
const { apr } = await me.staking.performance.stats({ params: { chain } })
console.log(`A validator earns ${apr} % a year.`)
await me.staking.validators.remove({ params: { chain, pubkey } })
