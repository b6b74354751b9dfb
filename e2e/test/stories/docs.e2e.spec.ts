import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { debianProgram } from '@trestle/devnet/debian'
import { foldersOfPath, programIn } from '@trestle/devnet/executable'
import { accountSession } from '@trestle/sdk/token-source'
import { createTrestle } from '@trestle/sdk/trestle'
import { newcomer, platform } from './platform.js'

// The shell of the documentation as it stands there, page by page, from the first line to the last: every call it makes must succeed. And
// its programs, which the examples of the sdk are not among: they are files.

const ROOT = join(import.meta.dirname, '../../..')

// Blocks that begin so are run elsewhere, or want what is not here.
const ELSEWHERE = [
  /^npm run nats:identities/,
  /^npm start/, // the test command itself; the stories of apps/cli bring a platform up and down
  /^for image in/, // asks registries of images
  /^kubectl/, // the tests of deploy render them; a real control plane takes them in test:k8s
  /^ADMIN_DATABASE_URL=/, // each start of a platform does it, with its own database
  /^# Ethereum mainnet/, // an environment, no command
  /^curl -X PUT .*\/policy/, // an owner with a second factor; the tests of accounts set policies
  /^# Who wants to do it/, // two people and a node; console-approvals and the tests of accounts do it
  /^# POST \/auth answers/, // wants a code of somebody's authenticator app; the tests of accounts do it
]

const ADMINISTRATOR = `
A=http://127.0.0.1:8080/accounts
M="Authorization: Bearer $(curl -s -X POST -u 'admin@trestle.local:purple horse battery staple' $A/auth | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')"
`

/** How many calls of curl a page makes at least, and what must stand in its output. */
const PAGES: Record<string, { calls: number; says: readonly RegExp[]; given?: string }> = {
  'README.md': { calls: 7, says: [/"email":"demo@trestle.local"/, /"accessToken":"/, /"chain":"regtest"/] },
  'docs/accounts.md': { calls: 4, says: [/"code":"UserVerified"/], given: 'A=http://127.0.0.1:8080/accounts' },
  'docs/btc-connect.md': { calls: 7, says: [/"status":"finished"/, /"addrStr":"mq/, /^event: block$/m] },
  'docs/eth-rpc.md': { calls: 5, says: [/"result":"0x/, /"kind":"reverted"/] },
  'docs/nodes.md': { calls: 35, says: [/"chain":"regtest"/, /"blocks":3/, / 100 200$/m] },
  'docs/operations.md': { calls: 3, says: [/"waiting":/, /\]$/], given: ADMINISTRATOR },
  'docs/staking.md': { calls: 5, says: [/Transaction 0x/, /"phase":"(ready|deposited)"/] },
}

interface Program {
  /** What stands for the platform of the page, and is not here. */
  given(program: string): string
  readonly end: string
}

const PROGRAMS: Record<string, Program> = {
  'docs/accounts.md': {
    given: (program) =>
      program
        .replace('https://api.example.org', platform.ingress)
        .replace("algorithm: 'oauth2'", '$&, execute: [oauth.allowInsecureRequests]'),
    end: `if (access_token) console.log('it works')`,
  },
  'docs/eth-rpc.md': {
    given: (program) => program,
    end: `
      const heights = [await client.getBlockNumber(), await provider.getBlockNumber(), await socket.getBlockNumber()]
      await socket.destroy()
      provider.destroy()
      if (heights.every((height) => height > 0)) console.log('it works')`,
  },
}

// Says of each call what became of it; a stream is read for a while.
const CURL = `
set -eo pipefail
curl() {
  local limit= argument
  for argument; do [[ $argument == -sN ]] && limit=1; done
  command curl -w '%{stderr}\\ncurl %{http_code} %{url_effective}\\n' \${limit:+--max-time 8} "$@" || [[ $limit && $? == 28 ]]
}
`

const home = mkdtempSync(join(tmpdir(), 'trestle-docs-'))
let path: string
beforeAll(async () => {
  const curl =
    programIn(foldersOfPath(process.env), 'curl') ??
    (await debianProgram({ package: 'curl', path: 'usr/bin/curl', withLibraries: 'and loader' }))
  path = `${dirname(curl)}:${process.env.PATH}`
  symlinkSync(dirname(process.env.STORIES_DEVNET ?? ''), join(home, '.data'))
  const scripts = { 'devnet:deposit': `node ${join(ROOT, 'tools/deposit.mjs')}` }
  writeFileSync(join(home, 'package.json'), JSON.stringify({ scripts }))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

it.each(Object.entries(PAGES))('%s does what it says', async (page, { calls, says, given = '' }) => {
  const script = [CURL, given, ...shellOf(readFileSync(join(ROOT, page), 'utf8'))]
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', platform.ingress)
  const { code, stdout, stderr } = await bash(script)
  const made = stderr.match(/^curl \d{3} .*$/gm) ?? []
  expect([code, made.filter((call) => !/^curl 2/.test(call))]).toEqual([0, []])
  expect(made.length).toBeGreaterThanOrEqual(calls)
  for (const words of says) expect(stdout).toMatch(words)
})

it.each(Object.entries(PROGRAMS))('%s shows a program that works', async (page, { given, end }) => {
  const trestle = createTrestle({ url: platform.ingress })
  const me = trestle.with({ token: accountSession(trestle, await newcomer(`reader-of-${basename(page, '.md')}`)) })
  const { clientId, clientSecret } = await me.accounts.clientKeys.create({})
  const { url } = await me.eth.projects.create({ body: { name: 'mine' } })
  const [program = ''] = blocksOf('js', readFileSync(join(ROOT, page), 'utf8'))
  const source = [`const { url, clientId, clientSecret } = ${JSON.stringify({ url, clientId, clientSecret })}`, given(program), end]
  const node = spawn(process.execPath, ['--input-type=module'], { cwd: import.meta.dirname, stdio: ['pipe', 'pipe', 'pipe'] })
  node.stdin.end(source.join('\n'))
  expect(await endOf(node)).toEqual({ code: 0, stdout: 'it works\n', stderr: '' })
})

function shellOf(page: string): string[] {
  return blocksOf('sh', page).filter((block) => !ELSEWHERE.some((begin) => begin.test(block)))
}

function blocksOf(language: string, page: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
}

function bash(script: string) {
  return endOf(spawn('bash', ['-c', script], { cwd: home, env: { ...process.env, PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] }))
}

async function endOf(child: ChildProcessByStdio<Writable | null, Readable, Readable>) {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}
