import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CommandLine } from './cli-under-test.js'

// The command line without a platform.

const NOBODY = 'http://127.0.0.1:1'

const cli = new CommandLine()
afterAll(() => cli.remove())

describe('a platform that cannot be reached', () => {
  const env = { TRESTLE_URL: NOBODY, TRESTLE_TOKEN: 'any' }

  it('ends with exit code 7 and a remedy', async () => {
    expect(await cli.run(['nodes', 'list'], { env })).toMatchObject({
      code: 7,
      stdout: '',
      stderr: expect.stringMatching(
        /^trestle: 127\.0\.0\.1:1 cannot be reached\.\n {2}Unreachable\nStart a local platform with: trestle up\./,
      ),
    })
    const { code, stdout } = await cli.run(['status', '-o', 'json'], { env })
    expect([code, JSON.parse(stdout)]).toEqual([
      7,
      {
        platform: NOBODY,
        areas: expect.arrayContaining([{ name: 'accounts', state: 'down', latencyMs: expect.any(Number), reason: 'unreachable' }]),
      },
    ])
  })

  it('is reported by the doctor', async () => {
    const { code, stdout } = await cli.run(['doctor'], { env })
    expect([code, stdout]).toEqual([1, expect.stringMatching(/missing +platform +http:\/\/127\.0\.0\.1:1 cannot be reached/)])
  })

  it('is no longer tried after an interrupt', async () => {
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const asked = once(silent, 'request')
    const { port } = silent.address() as AddressInfo
    const trying = cli.start(['nodes', 'list'], { env: { ...env, TRESTLE_URL: `http://127.0.0.1:${port}` } })
    await asked
    trying.child.kill('SIGINT')
    expect(await trying.ended).toEqual({ code: 130, stdout: '', stderr: '' })
    silent.close()
    silent.closeAllConnections()
  })
})

describe('a checkout', () => {
  it('is started and stopped again, by the process that started it', async () => {
    const folder = join(cli.home, 'checkout')
    mkdirSync(join(folder, 'tools'), { recursive: true })
    mkdirSync(join(folder, '.data'))
    writeFileSync(join(folder, 'package.json'), '{"name":"trestle"}')
    writeFileSync(join(folder, 'tools/bootstrap.mjs'), BOOTSTRAP)
    const inside = { cwd: join(folder, 'tools') }
    expect(await cli.json(['up', '--port', '9000'], inside)).toEqual({
      ingress: 'http://any:9000',
      mailbox: 'm',
      demo: { email: 'e', password: 'p' },
    })
    expect(await cli.run(['up'], inside)).toMatchObject({ code: 0, stderr: expect.stringContaining('already running') })
    expect(await cli.run(['down', '--dir', folder])).toMatchObject({ code: 0, stderr: expect.stringMatching(/Stopped\./) })
    expect(await cli.run(['down', '--dir', folder])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing that trestle up started'),
    })
    expect(await cli.run(['up', '--port', '1'], inside)).toMatchObject({ code: 1, stderr: expect.stringContaining('Port 1 is not for me') })
  })

  it('is required by the commands that start a platform', async () => {
    expect(await cli.run(['up'])).toMatchObject({ code: 2, stderr: expect.stringContaining('not in a Trestle checkout') })
  })
})

/** Stands for the start of a whole platform: ready, until it is told to end. */
const BOOTSTRAP = `
import { rmSync, writeFileSync } from 'node:fs'
const port = process.argv[4]
if (port === '1') throw new Error('Port 1 is not for me')
console.log('Starting everything ...')
process.on('SIGTERM', () => { rmSync('.data/devnet.json'); process.exit() })
writeFileSync('.data/devnet.json', JSON.stringify({ ingress: 'http://any:' + port, mailbox: 'm', demo: { email: 'e', password: 'p' } }))
setInterval(() => {}, 2 ** 30)
`

describe('the output', () => {
  it('has no colours and no prompts without a terminal', async () => {
    expect(await cli.output(['--help'])).not.toContain('\x1b')
    expect(await cli.run(['login', '--email', 'a@example.org'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--password-stdin'),
    })
  })

  it.each([[['--help']], [['completion', 'bash']]])('of %j may be closed early', async (args) => {
    const running = cli.start(args)
    running.child.stdout.destroy()
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('completes commands in a shell', async () => {
    const script = await cli.output(['completion', 'bash'])
    expect(script).toContain('complete -o default -F _trestle trestle')
    expect(await cli.output(['completion', 'candidates', '--', 'nodes', 'cr'])).toBe('create\tCreate a node.\n')
  })
})
