import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { jest } from '@jest/globals'
import { Failure, Interrupted } from './failure/failure.js'
import { ProfileStore } from './profiles/profile-store.js'
import { runProgram } from './program.js'
import type { TerminalInput, TerminalOutput } from './terminal/streams.js'

// What only a user at a terminal sees. The rest is in e2e/test/stories/cli-*.e2e.spec.ts.

const KEY = { id: 'client-00000000-0000-4000-8000-000000000000', createdAt: '2026-11-22T00:00:00.000Z', scopes: ['nodes'] }
const CLIENT_TOKEN = `e30.${Buffer.from('{"iat":0,"exp":3600}').toString('base64url')}.signature`
const PASSWORD = 'analytical engines weave'

let server: Server
let url: string
let folder: string
let asked: IncomingMessage[]
beforeEach(async () => {
  asked = []
  folder = mkdtempSync(join(tmpdir(), 'trestle-cli-'))
  server = createServer((request, response) => {
    asked.push(request)
    if (request.url === '/accounts/auth/token') response.end(JSON.stringify({ accessToken: CLIENT_TOKEN }))
    else if (request.url === '/accounts/auth') response.end('{"accessToken":"t0ken"}')
    else if (request.method === 'DELETE') response.writeHead(204).end()
    else if (request.url === '/nodes/') response.end('{"name":"nodes","version":"1.0.0"}')
    else response.end(JSON.stringify([KEY]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

describe('login at a terminal', () => {
  it('asks for the address and the password, and shows the password nowhere', async () => {
    const user = atTerminal(['login', '--url', url])
    await user.says('E-mail address: ')
    user.types('ada@example.org\r')
    await user.says('Password of ada@example.org: ')
    user.types(`${PASSWORD}\r`)
    expect(await user.ended).toBe(0)
    expect([user.stdout(), user.stderr().includes(PASSWORD), user.stderr().includes('Logged in at')]).toEqual(['', false, true])
    expect(asked[0]?.headers.authorization).toBe(`Basic ${btoa(`ada@example.org:${PASSWORD}`)}`)
    expect(new ProfileStore(folder).loginOf('default')).toEqual({ kind: 'account', url, email: 'ada@example.org', token: 't0ken' })
  })

  it('ends at once with Ctrl-C, without a request', async () => {
    const user = atTerminal(['login', '--url', url, '--email', 'ada@example.org'])
    await user.says('Password of ada@example.org: ')
    user.types('half a pass\x03')
    expect([await user.ended, asked]).toEqual([130, []])
  })
})

it.each([[['login', '--email', 'ada@example.org', '--password-stdin']], [['btc', 'send']]])(
  '%j reads no secret and no transaction from a terminal',
  async (argv) => {
    const user = atTerminal(argv, { token: 't' })
    expect([await user.ended, user.stderr(), asked]).toEqual([2, expect.stringContaining('pipe it in'), []])
  },
)

describe('what cannot be undone', () => {
  it.each([
    ['y\r', 0, ['DELETE']],
    ['\r', 1, []],
    ['nonsense\r', 1, []],
  ])('has to be confirmed: %j ends with %i', async (answer, code, methods) => {
    const user = atTerminal(['keys', 'rm', KEY.id], { token: 't' })
    await user.says('[y/N] ')
    user.types(answer)
    expect([await user.ended, asked.map(({ method }) => method)]).toEqual([code, methods])
  })
})

describe('colours', () => {
  it('are for terminals, and not with NO_COLOR', async () => {
    const [coloured, plain] = [
      atTerminal(['keys', 'list'], { token: 't' }),
      atTerminal(['keys', 'list'], { token: 't', isColourless: true }),
    ]
    expect(await Promise.all([coloured.ended, plain.ended])).toEqual([0, 0])
    expect([coloured.stdout().includes('\x1b[2mID\x1b[0m'), plain.stdout().includes('\x1b')]).toEqual([true, false])
  })
})

it('an interrupt ends a stream', async () => {
  const user = atTerminal(['events', '--follow'], { token: 't' })
  await once(server, 'request')
  user.interrupt()
  expect(await user.ended).toBe(130)
})

describe('the width of a table', () => {
  it.each([
    [80, true],
    [200, false],
    // The terminals of `docker run -t` and of some CI servers.
    [0, false],
  ])('in a terminal of %i columns is limited: %s', async (columns, isCut) => {
    const user = atTerminal(['keys', 'list'], { token: 't', columns })
    expect([await user.ended, user.stdout().includes('…')]).toEqual([0, isCut])
  })
})

it('a client key in a folder that cannot be written gets a token for each run', async () => {
  new ProfileStore(folder).setLogin('default', { kind: 'client', url, clientId: KEY.id, clientSecret: 's3cret' })
  const write = jest.spyOn(ProfileStore.prototype, 'setLogin').mockImplementation(() => {
    throw new Failure(1, 'credentials.json cannot be written: the file system is read-only.')
  })
  const user = atTerminal(['token'], { url })
  expect([await user.ended, user.stdout(), user.stderr(), write.mock.calls.length]).toEqual([0, `${CLIENT_TOKEN}\n`, '', 1])
  write.mockRestore()
})

it.each([
  [[], 0],
  [['--help'], 0],
  [['nodes', '--help'], 0],
  [['nodes', 'rm', '--help'], 0],
  [['--version'], 0],
])('%j prints to the standard output, and sends and asks nothing', async (argv, exit) => {
  const user = atTerminal(argv)
  expect([await user.ended, user.stdout().length > 0, user.stderr(), asked]).toEqual([exit, true, '', []])
})

interface TerminalOptions {
  readonly token?: string
  readonly url?: string
  readonly isColourless?: boolean
  readonly columns?: number
}

/** A user at a terminal. */
function atTerminal(argv: string[], { token, url: given = token && url, isColourless = false, columns = 80 }: TerminalOptions = {}) {
  const end = new AbortController()
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true, columns }),
  ) as [PassThrough & TerminalInput, PassThrough & TerminalOutput, PassThrough & TerminalOutput]
  const said = { out: '', err: '' }
  stdout.on('data', (text) => {
    said.out += text
  })
  stderr.on('data', (text) => {
    said.err += text
  })
  const env = { url: given, token, folder, isColourless, path: [], inherited: {} }
  const now = () => new Date('2026-11-22T12:00:00.000Z')
  const ended = runProgram({ argv, env, version: '0', stdin, stdout, stderr, fetch: globalThis.fetch, signal: end.signal, now })
  return {
    ended,
    stdout: () => said.out,
    stderr: () => said.err,
    types: (keys: string) => stdin.write(keys),
    interrupt: () => end.abort(new Interrupted()),
    async says(words: string) {
      while (!said.err.includes(words)) await once(stderr, 'data')
    },
  }
}
