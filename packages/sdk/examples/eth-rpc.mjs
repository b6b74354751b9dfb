import { accountSession } from '@trestle/sdk/token-source'
import { createTrestle } from '@trestle/sdk/trestle'
import { createPublicClient, custom } from 'viem'

const [, , url = 'http://127.0.0.1:8080'] = process.argv
const trestle = createTrestle({ url })
const demo = { email: 'demo@trestle.local', password: 'correct horse battery staple' }
const me = trestle.with({ token: accountSession(trestle, demo) })

const project = await me.eth.projects.create({ body: { name: 'example', requireToken: true } })
// The same for ethers: new BrowserProvider(provider).
const provider = me.eth.provider(project)
const client = createPublicClient({ transport: custom(provider) })
console.log(`Block ${await client.getBlockNumber()} of chain ${await client.getChainId()}.`)

await provider.request({ method: 'eth_sign' }).catch(({ code, message }) => console.log(code, message))
await me.eth.projects.remove({ params: { projectId: project.id } })
