import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { stopMachines } from '../src/machines/machines.js'
import { MACHINE_MARK } from '../src/machines/mark.js'
import { WORKSPACE } from '../src/workspace.js'

// A second Node runs the sources: it strips the types itself, and in our packages `.js` means `.ts`.
const hooks = `import { registerHooks } from 'node:module'
const isOurs = (name, { parentURL }) => name.startsWith('.') && !parentURL.includes('/node_modules/')
registerHooks({ resolve: (name, context, next) => next(isOurs(name, context) ? name.replace(/\\.js$/, '.ts') : name, context) })`

describe('a launcher', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'orphans-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('leaves no server behind when it ends by %s', async (signal) => {
    const { launcher, pids } = await launch(dir)
    const machine = startMachine(`${dir}/nodes`)
    expect(pids.filter(isAlive)).toEqual(pids)
    launcher.kill(signal)
    await machine.ended
    while (pids.some(isAlive)) await delay(20)
  })
})

describe(stopMachines, () => {
  it('ends those of one folder, and no process that only reads it', async () => {
    const [here, elsewhere] = [startMachine('/machines/here'), startMachine('/machines/here-too')]
    const reader = spawn(...sleeping('/machines/here'))
    await stopMachines('/machines/here')
    expect(await here.ended).toBe('SIGTERM')
    expect([elsewhere.process, reader].map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null])
    await stopMachines('/machines/here-too')
    expect(await elsewhere.ended).toBe('SIGTERM')
    reader.kill()
  })

  it('recognizes them by the mark that the nodes service gives them', () => {
    const driver = readFileSync(join(WORKSPACE, 'apps/nodes/src/drivers/local/processes.engine.ts'), 'utf8')
    expect(driver).toContain(`'${MACHINE_MARK}'`)
  })
})

/** As a service does: of a group of its own, with its folder in its command line and its environment. */
function startMachine(folder: string) {
  const machine = spawn(...sleeping(folder), { detached: true, stdio: 'ignore', env: { [MACHINE_MARK]: `${folder}/node-1` } })
  return { process: machine, ended: once(machine, 'exit').then(([code, signal]) => signal ?? code) }
}

function sleeping(folder: string): [string, string[]] {
  return [process.execPath, ['-e', 'setInterval(() => {}, 1000)', `${folder}/node-1/data`]]
}

async function launch(dir: string) {
  const source = join(import.meta.dirname, '../src')
  const program = `
    import { startPostgres } from '${source}/postgres.ts'
    import { startNats } from '${source}/nats.ts'
    import { findDaemon } from '${source}/chains/daemon.ts'
    import { startNode } from '${source}/chains/node.ts'
    import { findAnvil, startAnvil } from '${source}/ethereum/anvil.ts'
    import { guardMachines } from '${source}/guard.ts'
    guardMachines('${dir}/nodes')
    const node = startNode({ dir: '${dir}/node', daemon: await findDaemon('litecoind') })
    const anvil = startAnvil({ dir: '${dir}/anvil', command: findAnvil(), chainId: 1 })
    const servers = [await startPostgres({ dir: '${dir}', durable: false }), await startNats({ dir: '${dir}/nats', authorization: 'authorization { token: x }' }), await node, await anvil]
    console.log(JSON.stringify(servers.map(({ pid }) => pid)))
    setInterval(() => {}, 1000)`
  const flags = [
    '--no-warnings',
    '--experimental-transform-types',
    '--conditions=ws-source',
    '--import',
    `data:text/javascript,${encodeURIComponent(hooks)}`,
    '--input-type=module',
    '-e',
    program,
  ]
  const launcher = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of launcher.stdout) return { launcher, pids: JSON.parse(String(line)) as number[] }
  throw new Error('The launcher ended.')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
