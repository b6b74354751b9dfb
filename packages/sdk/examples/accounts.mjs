import { Problem } from '@trestle/sdk/problem'
import { accountSession, clientCredentials } from '@trestle/sdk/token-source'
import { createTrestle } from '@trestle/sdk/trestle'

const [, , url = 'http://127.0.0.1:8080'] = process.argv
const trestle = createTrestle({ url })
const demo = { email: 'demo@trestle.local', password: 'correct horse battery staple' }
const me = trestle.with({ token: accountSession(trestle, demo) })

const { displayName } = await me.accounts.users.me()
console.log(`Signed in as ${displayName}.`)

// A program gets a key of its own. Its tokens open everything except accounts.
const { clientId, clientSecret } = await me.accounts.clientKeys.create({ body: { name: 'example' } })
const program = trestle.with({ token: clientCredentials(trestle, { clientId, clientSecret }) })
await program.accounts.users.me().catch((error) => {
  if (error instanceof Problem) console.log(`A key is refused here: ${error.status} ${error.code}.`)
})
await me.accounts.clientKeys.remove({ params: { id: clientId } })

for await (const events of me.accounts.events.list.pages({ query: { limit: '50' } }))
  for (const { input, output } of events) console.log(input.method, input.route, output.httpStatusCode)
