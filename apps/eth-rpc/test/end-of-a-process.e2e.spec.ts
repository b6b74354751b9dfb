import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '@trestle/devnet/process'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { UNLIMITED } from './faulty-stage.js'
import { type GatewayUnderTest, startGateway } from './gateway-under-test.js'
import { ask, resultOf } from './json-rpc.js'
import { call, eventually } from './management.js'
import { isReady, type SpawnedGateway, spawnGateway } from './spawned-gateway.js'

const CALLERS = 8
const BEFORE_MS = 2500
/** What is counted is written every second; and that takes a moment. */
const LOSS_MS = 1500

let anvils: TestAnvils
let gateway: GatewayUnderTest
let spawned: SpawnedGateway
let project: string
beforeAll(async () => {
  anvils = await startAnvils({ count: 2 })
  await anvils.mine(3)
  gateway = await startGateway(anvils.nodes.map(({ name, url, webSocketUrl }) => `${name}=${url}+${webSocketUrl}`).join())
})
afterAll(async () => {
  await gateway.stop()
  await anvils.stop()
})
beforeEach(async () => {
  project = new URL(await gateway.project(UNLIMITED)).pathname
})
afterEach(() => spawned.stop())

describe('a gateway of one process', () => {
  it('that is killed loses a second of usage at most, and nothing else', async () => {
    spawned = await spawnGateway(gateway.environment, 1)
    const url = spawned.url + project
    const filter = await resultOf<string>(url, 'eth_newBlockFilter')
    const callers = new Callers(() => url)
    await delay(BEFORE_MS)
    spawned.process.kill('SIGKILL')
    const killedAt = performance.now()
    await spawned.exited
    await callers.stop()
    await expectUsage(callers, killedAt)
    spawned = await spawnGateway(gateway.environment, 1)
    const { hash } = await anvils.mine()
    await eventually(async () => (await resultOf(spawned.url + project, 'eth_blockNumber')) === '0x4' || undefined, 'it has the block')
    expect(await resultOf(spawned.url + project, 'eth_getFilterChanges', filter)).toEqual([hash])
  })

  it('that is told to stop ends without an error to anybody, and has counted every call', async () => {
    spawned = await spawnGateway({ ...gateway.environment, STOP_DELAY_MS: '1000' }, 1)
    await endsForNobody()
  })
})

describe('a gateway of several processes', () => {
  it('replaces a worker that is killed, leaves none behind when the primary is, and loses a second of usage at most', async () => {
    spawned = await spawnGateway(gateway.environment, 2)
    const callers = new Callers(() => spawned.url + project)
    await delay(BEFORE_MS)
    process.kill(spawned.serving()[0]!, 'SIGKILL')
    const killedAt = performance.now()
    await eventually(() => spawned.serving().length === 3 || undefined, 'there is another worker', 60_000)
    // Each call that was under way in it.
    expect(callers.failures).toBeLessThanOrEqual(CALLERS)
    await expectUsage(callers, killedAt)

    spawned.process.kill('SIGKILL')
    const endedAt = performance.now()
    await eventually(() => !spawned.serving().some(isAlive) || undefined, 'the workers have ended')
    await callers.stop()
    await expectUsage(callers, endedAt)
  })

  it('that is told to stop ends without an error to anybody, and has counted every call', async () => {
    spawned = await spawnGateway({ ...gateway.environment, STOP_DELAY_MS: '1000' }, 2)
    await endsForNobody()
    expect(spawned.serving().filter(isAlive)).toEqual([])
  })
})

/** It says that it is not ready before it stops, and whoever asks goes elsewhere, as behind any balancer. */
async function endsForNobody(): Promise<void> {
  let url = spawned.url + project
  const callers = new Callers(() => url)
  await delay(500)
  spawned.process.kill('SIGTERM')
  await eventually(async () => !(await isReady(spawned.internalUrl)) || undefined, 'it says that it stops')
  url = gateway.service.url + project
  expect(await spawned.exited).toEqual([0, null])
  await callers.stop()
  expect(callers.failures).toBe(0)
  expect(callers.answered.length).toBeGreaterThan(100)
  await eventually(async () => (await callsCounted()) === callers.answered.length || undefined, 'all calls are counted')
}

async function expectUsage({ answered }: Callers, killedAt: number): Promise<void> {
  await delay(LOSS_MS)
  const counted = await callsCounted()
  expect(counted).toBeGreaterThanOrEqual(answered.filter((at) => at < killedAt - LOSS_MS).length)
  // Some are counted and never answered.
  expect(counted).toBeLessThanOrEqual(answered.length + 2 * CALLERS + 1)
}

async function callsCounted(): Promise<number> {
  const id = project.split('/').at(-1)
  const { body } = await call(gateway.service, 'GET', `/projects/${id}/usage`, { token: gateway.token })
  return body.usage.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)
}

/** Many who ask without a pause. */
class Callers {
  /** When. */
  readonly answered: number[] = []
  failures = 0
  private isStopped = false
  private readonly running: Promise<unknown>

  constructor(private readonly url: () => string) {
    this.running = Promise.all(Array.from({ length: CALLERS }, () => this.askOn()))
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
  }

  private async askOn(): Promise<void> {
    while (!this.isStopped) {
      const { result } = await ask(this.url(), 'eth_chainId').catch(() => ({ result: undefined }))
      if (result === '0x7a69') this.answered.push(performance.now())
      else this.failures++
      // Nobody is there: not too often.
      if (!result) await delay(50)
    }
  }
}
