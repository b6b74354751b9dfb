import { setTimeout as pause } from 'node:timers/promises'
import { accountSession } from '@trestle/sdk/token-source'
import { createTrestle } from '@trestle/sdk/trestle'

const [, , url = 'http://127.0.0.1:8080'] = process.argv
const trestle = createTrestle({ url })
const demo = { email: 'demo@trestle.local', password: 'correct horse battery staple' }
const me = trestle.with({ token: accountSession(trestle, demo) })

// Ends every call below after a minute.
const signal = AbortSignal.timeout(60_000)
const node = await me.nodes.nodes.create({ body: { image: 'ltc' }, signal })
const params = { id: node.id }
try {
  for (let phase = ''; phase !== 'ready'; await pause(250, undefined, { signal })) {
    ;({ phase } = await me.nodes.nodes.status({ params, signal }))
    console.log(phase)
  }
  console.log(await me.nodes.rpc({ node, method: 'getblockhash', params: [0], signal }))
} finally {
  await me.nodes.nodes.remove({ params })
}
