import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Interrupted } from './failure/failure.js'
import { ProfileStore } from './profiles/profile-store.js'
import { runProgram } from './program.js'
import type { TerminalInput, TerminalOutput } from './terminal/streams.js'

// At a terminal: what only a person sees. All else is in e2e/test/cli.e2e.spec.ts.

const KEY = { id: 'client-00000000-0000-4000-8000-000000000000', createdAt: '2026-11-22T00:00:00.000Z', scopes: ['nodes'] }
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
    if (request.url === '/accounts/auth') response.end('{"accessToken":"t0ken"}')
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
    const person = atTerminal(['login', '--url', url])
    await person.says('E-mail address: ')
    person.types('ada@example.org\r')
    await person.says('Password of ada@example.org: ')
    person.types(`${PASSWORD}\r`)
    expect(await person.ended).toBe(0)
    expect([person.stdout(), person.stderr().includes(PASSWORD), person.stderr().includes('Logged in at')]).toEqual(['', false, true])
    expect(asked[0]?.headers.authorization).toBe(`Basic ${btoa(`ada@example.org:${PASSWORD}`)}`)
    expect(new ProfileStore(folder).loginOf('default')).toEqual({ kind: 'account', url, email: 'ada@example.org', token: 't0ken' })
  })

  it('ends at once with Ctrl-C, and asks nobody', async () => {
    const person = atTerminal(['login', '--url', url, '--email', 'ada@example.org'])
    await person.says('Password of ada@example.org: ')
    person.types('half a pass\x03')
    expect([await person.ended, asked]).toEqual([130, []])
  })
})

it.each([[['login', '--email', 'ada@example.org', '--password-stdin']], [['btc', 'send']]])(
  '%j reads no secret and no transaction from a terminal',
  async (argv) => {
    const person = atTerminal(argv, { token: 't' })
    expect([await person.ended, person.stderr(), asked]).toEqual([2, expect.stringContaining('pipe it in'), []])
  },
)

describe('what cannot be taken back', () => {
  it.each([
    ['y\r', 0, ['DELETE']],
    ['\r', 1, []],
    ['nonsense\r', 1, []],
  ])('is asked about first: %j ends with %i', async (answer, code, methods) => {
    const person = atTerminal(['keys', 'rm', KEY.id], { token: 't' })
    await person.says('[y/N] ')
    person.types(answer)
    expect([await person.ended, asked.map(({ method }) => method)]).toEqual([code, methods])
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

it('an interrupt ends whatever goes on', async () => {
  const person = atTerminal(['events', '--follow'], { token: 't' })
  await once(server, 'request')
  person.interrupt()
  expect(await person.ended).toBe(130)
})

/** Somebody at a terminal of eighty places. */
function atTerminal(argv: string[], { token, isColourless = false }: { token?: string; isColourless?: boolean } = {}) {
  const end = new AbortController()
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true, columns: 80 }),
  ) as [PassThrough & TerminalInput, PassThrough & TerminalOutput, PassThrough & TerminalOutput]
  const said = { out: '', err: '' }
  stdout.on('data', (text) => {
    said.out += text
  })
  stderr.on('data', (text) => {
    said.err += text
  })
  const env = { url: token && url, token, folder, isColourless, path: [], inherited: {} }
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
