import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

describe('npm start', () => {
  it('tells what it can do, before anything is installed', () => {
    const { status, stdout } = start('--help')
    expect(status).toBe(0)
    for (const word of ['--port', '--only', '--reset', '--data', 'DATABASE_URL', 'NATS_URL', 'ACCOUNTS_PORT'])
      expect(stdout).toContain(word)
  })

  it.each([
    [['--prot', '9000'], "Unknown option '--prot'"],
    [['--port', 'abc'], '--port abc: a port is a number from 1 to 64535.'],
    [['--port', '65000'], '--port 65000: a port is a number from 1 to 64535.'],
    [['accounts'], "Unexpected argument 'accounts'"],
  ])('refuses %j in a sentence', (args, sentence) => {
    const { status, stderr } = start(...args)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
    expect(status).toBe(1)
  })
})

function start(...args: string[]) {
  return spawnSync(process.execPath, ['tools/bootstrap.mjs', 'start', ...args], { cwd: root, encoding: 'utf8' })
}
