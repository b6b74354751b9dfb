import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { findAnvil } from '@trestle/devnet/ethereum/anvil'
import type { DesiredMachine } from '../../src/drivers/driver.js'
import { LocalDriver } from '../../src/drivers/local/local-driver.engine.js'
import type { MachineRecord, ProcessRecord } from '../../src/drivers/local/records.js'
import { removed, retryUntilDefined, settled } from './driver-suite.js'
import { type LocalHarness, localHarness } from './local-harness.js'

describe(LocalDriver, () => {
  let harness: LocalHarness
  let driver: LocalDriver
  let machine: DesiredMachine
  beforeAll(async () => {
    harness = await localHarness('eth', { anvil: findAnvil() })
  })
  beforeEach(() => {
    driver = harness.driver()
    machine = { id: `node-${randomUUID()}`, blueprint: harness.blueprint, running: true, password: randomBytes(24).toString('hex') }
  })
  afterEach(() => removed(driver, machine))
  afterAll(() => harness.close())

  it('restarts a killed program, and reports one that keeps exiting', async () => {
    await settled(driver, machine)
    await answers()
    for (const times of [1, 2, 3]) {
      await harness.crash(machine.id)
      const { running, problem } = (await driver.observe(machine))!
      expect(running).toBe(false)
      expect(problem).toMatch(
        times === 1 ? /^anvil exited unexpectedly\. Its last output: / : `exited unexpectedly ${times} times within ten minutes`,
      )
      if (times < 3) await settled(driver, machine)
    }
    await driver.apply(machine)
    expect(await driver.observe(machine)).toMatchObject({ running: true, problem: 'anvil exited unexpectedly 3 times within ten minutes.' })
  })

  it('never signals a process that only has the pid of one of its own', async () => {
    await settled(driver, { ...machine, running: false })
    const stranger = spawn('sleep', ['60'])
    await once(stranger, 'spawn')
    const startTime = readFileSync(`/proc/${stranger.pid}/stat`, 'utf8').split(' ')[21]!
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // Of another time, of another start of the system, and with everything right but its folder.
    for (const proof of [
      { startTime: '1', bootId },
      { startTime, bootId: 'another' },
      { startTime, bootId },
    ]) {
      const started = {
        identity: { pid: stranger.pid, ...proof },
        bootId,
        fingerprint: 'x',
        startedAt: 0,
        accidents: [],
        release: 'anvil-1',
      }
      write('process.json', started)
      expect(await driver.observe(machine)).toMatchObject({ running: false })
      await driver.apply({ ...machine, running: false })
      write('process.json', { ...started, endingAt: 1 })
      await driver.apply({ ...machine, running: false })
    }
    await removed(driver, machine)
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
    stranger.kill()
  })

  it('does not mistake a process that only reads its folder for its own', async () => {
    await settled(driver, machine)
    const reader = spawn('tail', ['-f', join(folder(), 'log')])
    await once(reader, 'spawn')
    await settled(driver, { ...machine, running: false })
    await removed(driver, machine)
    expect(reader.exitCode ?? reader.signalCode).toBeNull()
    reader.kill()
  })

  it('takes other ports when another program listens on one of them', async () => {
    await settled(driver, { ...machine, running: false })
    const before = read<MachineRecord>('machine.json').ports
    const stranger = createServer().listen(before.rpc, '127.0.0.1')
    await once(stranger, 'listening')
    const { address } = await settled(driver, machine)
    expect(address?.port).not.toBe(before.rpc)
    expect(read<MachineRecord>('machine.json').ports.rpc).toBe(address?.port)
    await answers()
    stranger.close()
  })

  it('assigns no port of the service, nor one of a stopped machine', async () => {
    const machines = Array.from({ length: 20 }, () => ({ ...machine, id: `node-${randomUUID()}`, running: false }))
    await Promise.all(machines.map((each) => settled(driver, each)))
    const ports = machines.flatMap(({ id }) =>
      Object.values(JSON.parse(readFileSync(join(harness.settings.dataDir, id, 'machine.json'), 'utf8')).ports),
    )
    expect(new Set(ports).size).toBe(40)
    expect(ports.filter((port) => Number(port) >= 21_000 && Number(port) <= 21_999)).toEqual([])
    await Promise.all(machines.map((each) => removed(driver, each)))
  })

  it('does not touch the machines of another installation', async () => {
    const other = new LocalDriver({ ...harness.settings, installation: 'other' })
    await settled(driver, machine)
    expect(await ownedBy(other)).toEqual([])
    const refusal = expect.objectContaining({
      name: 'DriverUnavailable',
      message: `The folder of ${machine.id} belongs to another installation, testing.`,
    })
    await expect(other.apply({ ...machine, running: false })).rejects.toThrow(refusal)
    await expect(other.remove(machine.id)).rejects.toThrow(refusal)
    await expect(other.logs(machine.id, 1)).rejects.toThrow(refusal)
    expect(await harness.programs(machine.id)).toBe(1)
    expect(await ownedBy(driver)).toEqual([machine.id])
  })

  it.each(['../../etc', 'node-../../../../../../../../etc/passwd/aa', '', '.', 'node-', `node-${'0'.repeat(36)}/x`, '\0'])(
    'refuses the id %j',
    async (id) => {
      const before = readdirSync(harness.settings.dataDir)
      const hostile = { ...machine, id }
      for (const work of [driver.observe(hostile), driver.apply(hostile), driver.remove(id), driver.logs(id, 1)]) {
        await expect(work).rejects.toThrow('This is not the id of a machine.')
      }
      expect(readdirSync(harness.settings.dataDir)).toEqual(before)
    },
  )

  it('rotates the log, and keeps the one before', async () => {
    await settled(driver, machine)
    const log = join(folder(), 'log')
    // From then on it says nothing until it is called.
    await retryUntilDefined(async () => readFileSync(log, 'utf8').includes('Listening on') || undefined)
    appendFileSync(log, `${'old line\n'.repeat(1_200_000)}the newest line\n`)
    await driver.observe(machine)
    expect(statSync(log).size).toBeLessThan(2 ** 20)
    expect(await driver.logs(machine.id, 2)).toEqual(['old line', 'the newest line'])
  })

  it('does not run a machine whose data exceeds its disk size, and says so', async () => {
    await settled(driver, machine)
    writeFileSync(join(folder(), 'data', 'large'), Buffer.alloc(2 ** 20))
    const next = harness.driver()
    const bounded = { ...machine, blueprint: { ...machine.blueprint, diskGiB: 2 ** -11 } }
    const problem = expect.stringContaining('exceeds its disk size of')
    await retryUntilDefined(async () => {
      await next.apply(bounded)
      return (await next.observe(bounded))?.running === false || undefined
    })
    expect(await next.observe(bounded)).toMatchObject({ running: false, storageFull: true, problem })
    await settled(next, machine)
  })

  it('starts over where the chain was written in part', async () => {
    await settled(driver, { ...machine, running: false })
    writeFileSync(join(folder(), 'data', 'state.json'), '{"block":')
    await settled(driver, machine)
    await answers()
    expect(existsSync(join(folder(), 'data', 'state.json.broken'))).toBe(true)
  })

  it('finds and keeps a program whose pid was not recorded', async () => {
    await settled(driver, machine)
    const { identity, ...starting } = read<ProcessRecord>('process.json')
    write('process.json', starting)
    const next = harness.driver()
    expect(await next.observe(machine)).toMatchObject({ running: true, matches: false })
    await next.apply(machine)
    expect(read<ProcessRecord>('process.json').identity).toEqual(identity)
    expect(await next.observe(machine)).toMatchObject({ running: true, matches: true })
  })

  it('makes its files readable for its own user only', async () => {
    await settled(driver, machine)
    for (const name of ['machine.json', 'process.json', 'log']) expect(statSync(join(folder(), name)).mode & 0o077).toBe(0)
  })

  it.each([
    ['nothing of the name', {}, /^anvil is not installed on this host\. Install it, or set ANVIL to its path\.$/],
    ['what is no program', { anvil: '/nowhere' }, /^ANVIL names \/nowhere, which is not executable\.$/],
    ['another program', { anvil: process.execPath }, /node is not anvil: its version is "v24/],
    ['a program that does not run', { anvil: '/bin/false' }, /^\/bin\/false does not run: /],
  ])('says what is missing where there is %s', async (_, programs, message) => {
    const bare = new LocalDriver({ ...harness.settings, programs })
    expect(await bare.missing(machine.blueprint)).toMatch(message)
    await expect(bare.apply(machine)).rejects.toThrow(message)
  })

  function folder(): string {
    return join(harness.settings.dataDir, machine.id)
  }
  function read<T>(name: string): T {
    return JSON.parse(readFileSync(join(folder(), name), 'utf8'))
  }
  function write(name: string, value: object): void {
    writeFileSync(join(folder(), name), JSON.stringify(value))
  }
  function answers(): Promise<true> {
    return retryUntilDefined(async () => {
      const seen = await driver.observe(machine)
      return seen && harness.call?.(machine, seen).then(() => true as const)
    })
  }
})

async function ownedBy(driver: LocalDriver): Promise<string[]> {
  const ids: string[] = []
  for await (const id of driver.owned()) ids.push(id)
  return ids
}
