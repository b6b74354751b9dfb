import { mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { workerFolder } from '@trestle/testing/worker-folder'
import { UNLIMITED } from './faulty-stage.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { callRpc } from './json-rpc.js'
import { type SpawnedGateway, spawnGateway } from './spawned-gateway.js'

// Several processes start, on a machine that may be busy.
jest.setTimeout(180_000)

const CALLERS = 12

let anvils: TestAnvils
let gateway: EthRpcUnderTest
let spawned: SpawnedGateway
let mount: Mount
let callers: Callers

beforeAll(async () => {
  anvils = await startAnvils({ count: 3 })
  await anvils.mine(3)
  const [first] = anvils.nodes
  gateway = await startEthRpcUnderTest(`${first!.name}=${first!.url}`)
  mount = new Mount()
  mount.write(file({ a: 0, b: 1 }))
  const environment = { ...gateway.environment, UPSTREAMS: '', UPSTREAMS_FILE: mount.path, SECRET: 'k3y' }
  spawned = await spawnGateway(environment, 2)
  callers = new Callers(spawned.url + new URL(await gateway.project(UNLIMITED)).pathname)
})
afterAll(async () => {
  await callers.stop()
  await spawned.stop()
  await gateway.stop()
  await anvils.stop()
})

// Each continues where the one before ended, with the same callers.
describe('a file of upstreams that changes under load', () => {
  afterEach(() => expect(callers.failures).toEqual([]))

  it('adds an upstream, and takes away the primary one', async () => {
    await callers.answered(50)
    await inEffect('a', 'b')
    mount.write(file({ b: 1, c: 2 }))
    await inEffect('b', 'c')
    await callers.answered(200)
  })

  it('reaches an upstream another way, with another credential', async () => {
    mount.write(file({ b: 1, c: 2 }, { b: 'headers: { x-api-key: env:SECRET }', c: 'bearer: env:SECRET' }))
    await logged('the upstreams of the file are in effect', 2)
    await callers.answered(200)
    await inEffect('b', 'c')
  })

  it('cordons an upstream, which is followed on', async () => {
    const before = await requestsTo('b')
    mount.write(file({ b: 1, c: 2 }, { b: 'cordon: true' }))
    await eventually(async () => (await metric('upstream_refused{upstream="b",reason="cordoned"}')) === 1 || undefined, 'it is cordoned')
    const asked = await requestsTo('b')
    expect(asked).toBeGreaterThanOrEqual(before)
    await callers.answered(200)
    await anvils.mine(1)
    expect(await requestsTo('b')).toBeLessThanOrEqual(asked + CALLERS)
    await eventually(async () => (await metric('upstream_head{upstream="b"}')) === (await headOf(2)) || undefined, 'it is followed')
  })

  it('changes nothing when it is wrong, says so, and recovers at a signal', async () => {
    mount.write('upstreams: [{ name: b, url: k3y }]')
    await eventually(async () => (await metric('upstreams_file_refused')) === 1 || undefined, 'it is refused')
    await callers.answered(100)
    const readiness = await (await fetch(`${spawned.internalUrl}/readyz`)).json()
    expect(readiness).toMatchObject({ ready: true, notes: { upstreams: expect.stringContaining('upstream "b": url must be an http://') } })
    expect(JSON.stringify([readiness, spawned.lines])).not.toContain('k3y')
    mount.write(file({ a: 0, b: 1, c: 2 }))
    process.kill(spawned.process.pid!, 'SIGHUP')
    await inEffect('a', 'b', 'c')
    await callers.answered(100)
    expect(await (await fetch(`${spawned.internalUrl}/readyz`)).json()).not.toHaveProperty('notes')
  })

  it('survives the signal in every process', async () => {
    const serving = spawned.serving()
    for (const pid of serving) process.kill(pid, 'SIGHUP')
    await callers.answered(100)
    expect(spawned.serving()).toEqual(serving)
    expect(spawned.process.exitCode).toBeNull()
  })

  it('gives a worker that is started while it is wrong what is in effect', async () => {
    mount.write('upstreams: []')
    await eventually(async () => (await metric('upstreams_file_refused')) === 1 || undefined, 'it is refused')
    await callers.stop()
    process.kill(spawned.serving()[0]!, 'SIGKILL')
    await eventually(() => spawned.serving().length === 3 || undefined, 'another worker serves', 60_000)
    callers = new Callers(callers.url)
    await callers.answered(200)
    mount.write(file({ a: 0, b: 1, c: 2 }))
    await eventually(async () => (await metric('upstreams_file_refused')) === 0 || undefined, 'it is right again')
  })

  /** These, and no others, are asked. */
  async function inEffect(...names: string[]): Promise<void> {
    const find = async () => {
      const found = [...(await metrics()).matchAll(/^upstream_up\{upstream="(\w)"\} 1$/gm)].map(([, name]) => name)
      return found.sort().join() === names.join() || undefined
    }
    await eventually(find, `${names} are in effect`)
  }

  async function logged(message: string, count: number): Promise<void> {
    await eventually(() => spawned.lines.filter(({ msg }) => msg === message).length >= count || undefined, message)
  }

  async function requestsTo(name: string): Promise<number> {
    const counts = [...(await metrics()).matchAll(new RegExp(`^upstream_requests_total\\{upstream="${name}".*\\} (\\d+)$`, 'gm'))]
    return counts.reduce((sum, [, count]) => sum + Number(count), 0)
  }

  async function metric(name: string): Promise<number | undefined> {
    const line = (await metrics()).split('\n').find((each) => each.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length + 1))
  }

  async function metrics(): Promise<string> {
    return (await fetch(`${spawned.internalUrl}/metrics`)).text()
  }

  async function headOf(index: number): Promise<number> {
    return Number(await anvils.nodes[index]!.rpc.call('eth_blockNumber'))
  }
})

/** The nodes by their places, with further members each. */
function file(places: Record<string, number>, members: Record<string, string> = {}): string {
  const entry = ([name, index]: [string, number]) => {
    const { url, webSocketUrl } = anvils.nodes[index]!
    return `  - { name: ${name}, url: '${url}', webSocketUrl: '${webSocketUrl}'${members[name] ? `, ${members[name]}` : ''} }\n`
  }
  return `upstreams:\n${Object.entries(places).map(entry).join('')}`
}

/** A folder as Kubernetes mounts it: all names are links through one that is replaced. */
class Mount {
  private readonly folder = mkdtempSync(join(workerFolder(), 'mount-'))
  private version = 0
  readonly path = join(this.folder, 'upstreams.yaml')

  constructor() {
    symlinkSync(join('..data', 'upstreams.yaml'), this.path)
  }

  write(text: string): void {
    const name = `..${this.version++}`
    mkdirSync(join(this.folder, name))
    writeFileSync(join(this.folder, name, 'upstreams.yaml'), text)
    symlinkSync(name, join(this.folder, '..data_tmp'))
    renameSync(join(this.folder, '..data_tmp'), join(this.folder, '..data'))
  }
}

/** Callers whose calls are never answered from a cache. */
class Callers {
  readonly failures: unknown[] = []
  private count = 0
  private isStopped = false
  private readonly running: Promise<void>[]

  constructor(readonly url: string) {
    this.running = Array.from({ length: CALLERS }, (_, caller) => this.call(caller))
  }

  async answered(count: number): Promise<void> {
    const until = this.count + count
    await eventually(() => this.count >= until || undefined, `${count} calls were answered`, 60_000)
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await Promise.all(this.running)
  }

  private async call(caller: number): Promise<void> {
    for (let number = 0; !this.isStopped; number++) {
      const address = `0x${caller.toString(16).padStart(20, '0')}${number.toString(16).padStart(20, '0')}`
      const answer = await callRpc(this.url, 'eth_getBalance', address, 'latest').catch((error: unknown) => ({ error }))
      if (!('result' in answer)) this.failures.push(answer)
      this.count++
      await delay(5)
    }
  }
}
