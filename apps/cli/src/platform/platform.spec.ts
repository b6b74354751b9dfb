import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problem, StubPlatform } from '../../test/stub-platform.js'

const ADDRESS = {
  ingress: 'http://127.0.0.1:8080',
  mailbox: 'http://127.0.0.1:8025',
  demo: { email: 'demo@trestle.local', password: 'p4ss' },
}

let platform: StubPlatform
let home: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'trestle-cli-'))
  platform = new StubPlatform()
  await platform.start()
  platform.on('GET /chains', { body: [] })
})
afterEach(() => {
  platform.stop()
  rmSync(home, { recursive: true })
})

describe('trestle status', () => {
  const AREAS = ['accounts', 'staking', 'nodes', 'btc', 'bch', 'ltc', 'eth', 'etc']
  const everyAreaIs = (reply: Parameters<StubPlatform['on']>[1]) => {
    for (const area of AREAS) platform.on(`GET /${area}/`, reply)
  }
  const statesOf = (stdout: string): Record<string, string> =>
    Object.fromEntries(JSON.parse(stdout).areas.map(({ name, state }: { name: string; state: string }) => [name, state]))

  it.each([
    ['all are up', {}, 0],
    ['one is not deployed', { ltc: problem(503, 'ServiceNotDeployed', 'No.') }, 0],
    ['one is down', { ltc: problem(503, 'ServiceUnavailable', 'No.') }, 1],
    ['one is some other web server', { ltc: { body: '<html>' } }, 1],
  ])('when %s ends with the right code', async (_, replies, exit) => {
    everyAreaIs({ body: { name: 'any', version: '1.0.0' } })
    for (const [area, reply] of Object.entries(replies)) platform.on(`GET /${area}/`, reply)
    expect(await platform.run('status -o json', { token: '' })).toMatchObject({ exit })
  })

  it('includes the chains that only this platform has', async () => {
    everyAreaIs(problem(404, 'NotFound', 'No front page.'))
    const base = { name: 'base', title: 'Base', family: 'evm', network: 'mainnet', unit: 'ETH', decimals: 18, chainId: 8453 }
    const more = { blockSeconds: 2, explorer: null, colour: '#0052ff' }
    platform.on('GET /chains', { body: [{ ...base, ...more, basePath: '/base', url: `${platform.url}/base` }] })
    platform.on('GET /base/', problem(503, 'ServiceUnavailable', 'No.'))
    const { exit, stdout } = await platform.run('status -o json')
    expect([exit, statesOf(stdout).base, statesOf(stdout).accounts]).toEqual([1, 'down', 'up'])
  })

  it('ends with the code of an unreachable platform if none of it responds', async () => {
    const { url } = platform
    platform.stop()
    expect(await platform.run('status -o json', { url })).toMatchObject({ exit: 7, stdout: expect.stringContaining('"unreachable"') })
  })
})

describe('trestle doctor', () => {
  const checksOf = (stdout: string): Record<string, { state: string; found: string }> =>
    Object.fromEntries(JSON.parse(stdout).map((check: { name: string }) => [check.name, check]))

  it('finds programs in PATH, and fails only for what is required', async () => {
    platform.on('GET /accounts', { body: {} }).on('GET /accounts/users/me', problem(401, 'InvalidToken', 'The token is invalid.'))
    for (const program of ['git', 'docker']) writeFileSync(join(home, program), '')
    chmodSync(join(home, 'git'), 0o755)
    const { exit, stdout } = await platform.run('doctor -o json', { path: [home] })
    expect([exit, checksOf(stdout)]).toMatchObject([
      1,
      {
        git: { state: 'ok', found: join(home, 'git') },
        Docker: { state: 'optional', found: 'not found' },
        platform: { state: 'ok' },
        login: { state: 'missing', found: 'The token is invalid.' },
      },
    ])
  })

  it('checks the machine even if the platform is unreachable, and says how to choose another', async () => {
    const { url } = platform
    platform.stop()
    const { exit, stdout } = await platform.run('doctor', { url })
    expect([exit, stdout]).toEqual([1, expect.stringMatching(/^platform +Start a local platform: trestle up/m)])
    expect(stdout).toMatch(/^ok +Node /m)
  })
})

describe('trestle up and down', () => {
  beforeEach(() => {
    writeFileSync(join(home, 'package.json'), '{"name":"trestle"}')
    mkdirSync(join(home, 'tools'))
  })
  const start = (script: string) => writeFileSync(join(home, 'tools/bootstrap.mjs'), script)

  it.each([
    ['', 'up'],
    ['{"name":"other"}', 'up'],
    ['{', 'down'],
  ])('refuse a folder with the package.json "%s"', async (manifest, command) => {
    start('')
    writeFileSync(join(home, 'package.json'), manifest)
    expect(await platform.run(`${command} --dir ${home}`)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('is not in a Trestle checkout.'),
    })
  })

  it.each(['0', '65535', '80a', '-1'])('up refuses the port "%s"', async (port) => {
    start('')
    expect(await platform.run(`up --dir ${home} '--port=${port}'`)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--port cannot be'),
    })
  })

  it('up shows the end of the log of a start that failed', async () => {
    start('console.log("installing"); console.error("no space left"); process.exit(1)')
    const { exit, stdout, stderr } = await platform.run(`up --dir ${home}`)
    expect([exit, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/It did not start\. The end of .*up\.log:\n(.*\n)*.*no space left\n(.*\n)*Check this machine: trestle doctor\n$/)
  })

  it('up explains why it cannot write into the checkout', async () => {
    start('')
    writeFileSync(join(home, '.data'), '')
    expect(await platform.run(`up --dir ${home}`)).toMatchObject({ exit: 1, stderr: expect.stringMatching(/up\.log cannot be written: /) })
  })

  it('up passes its options on and waits; a second one reports the same; down stops it', async () => {
    start(`
      import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
      writeFileSync('args', process.argv.slice(2).join(' '))
      writeFileSync('.data/devnet.json', ${JSON.stringify(JSON.stringify(ADDRESS))})
      process.on('SIGTERM', () => { rmSync('.data/devnet.json'); process.exit() })
      setInterval(() => undefined, 1000)`)
    const first = await platform.run(`up --dir ${home} --port 9000 --only accounts,nodes`)
    expect(first).toMatchObject({ exit: 0, stderr: expect.stringContaining('Next: trestle login --url http://127.0.0.1:8080') })
    expect(readFileSync(join(home, 'args'), 'utf8')).toBe('start --port 9000 --only accounts,nodes')
    expect(await platform.run(`up --dir ${home}`)).toMatchObject({
      exit: 0,
      stdout: first.stdout,
      stderr: expect.stringContaining('already running'),
    })
    expect(await platform.run(`down --dir ${home}`)).toMatchObject({ exit: 0, stderr: expect.stringContaining('Stopped.') })
    expect(await platform.run(`down --dir ${home}`)).toMatchObject({ exit: 0, stderr: expect.stringContaining('is running here.') })
  })

  it('down takes no other process for the platform, whatever the file says', async () => {
    start('')
    mkdirSync(join(home, '.data'))
    writeFileSync(join(home, '.data/up.json'), JSON.stringify({ pid: process.pid, startedAt: 'another time' }))
    expect(await platform.run(`down --dir ${home}`)).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Nothing that trestle up started'),
    })
  })
})
