import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { PASSWORD, startTestAccounts, type TestAccounts, using } from './accounts.js'

describe('while the database is away', () => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  it('every request is refused as unavailable, never as wrong, and all is well afterwards', async () => {
    const { email, token } = await accounts.createUser()
    const link = await startLink(accounts.database.url)
    const replica = await accounts.replica({ DATABASE_URL: link.url })
    const client = using(replica)
    const ask = () => client.call('GET', '/users/me', { token })
    await accounts.eventually(async () => (await ask()).status === 200 || undefined, 'the replica answers')

    link.cut()
    const answers = [
      await client.call('POST', '/auth', { basic: `${email}:${PASSWORD}` }),
      await client.call('POST', '/auth', { basic: `${email}:not the password of anybody` }),
      await client.call('POST', '/auth', { basic: `nobody@example.org:${PASSWORD}` }),
      await ask(),
      await client.register('new@example.org'),
      await client.call('PUT', `/users/${email}/token/x`),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [503, 'DatabaseUnavailable']))
    expect(answers[0]?.headers.get('retry-after')).toBe('1')

    link.mend()
    await accounts.eventually(async () => (await ask()).status === 200 || undefined, 'the replica answers again')
    expect(await client.signIn(email)).toEqual(expect.any(String))
    await replica.stop()
    link.close()
  })
})

/** The way to a Postgres, which can be cut. */
async function startLink(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
    close: () => server.close(),
  }
}
