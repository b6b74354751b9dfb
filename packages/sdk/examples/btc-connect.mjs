import { accountSession } from '@trestle/sdk/token-source'
import { createTrestle } from '@trestle/sdk/trestle'

const [, , url = 'http://127.0.0.1:8080'] = process.argv
const trestle = createTrestle({ url })
const demo = { email: 'demo@trestle.local', password: 'correct horse battery staple' }
const me = trestle.with({ token: accountSession(trestle, demo) })

const { lastblockhash: hash = '' } = await me.ltc.status.show({ query: { q: 'getLastBlockHash' } })
const { txs } = await me.ltc.transactions.list({ query: { block: hash } })
for (const { txid, valueOut } of txs) console.log(txid, valueOut)

const [addr = ''] = txs[0]?.vout[0]?.scriptPubKey.addresses ?? []
const { balance, txApperances } = await me.ltc.addresses.summary({ params: { addr }, query: { noTxList: '1' } })
console.log(`${addr} has ${balance} LTC of ${txApperances} transactions.`)

// Events as they come; a broken stream resumes where it was.
for await (const { event, data } of me.ltc.events.stream({ query: { events: 'block' } })) {
  console.log(event, data)
  break
}
