import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { isAlive } from '@trestle/devnet/process'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { UNLIMITED } from './faulty-stage.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { callRpc, resultOfRpc } from './json-rpc.js'
import { callManagement } from './management.js'
import { isReady, type SpawnedGateway, spawnGateway } from './spawned-gateway.js'

// Several processes start in each, on a machine that may be busy.
jest.setTimeout(180_000)

const CALLERS = 8
/** As long as it takes whoever asks to notice, on a machine that is busy. */
const STOP_DELAY_MS = '2000'

let anvils: TestAnvils
let gateway: EthRpcUnderTest
let spawned: SpawnedGateway
let project: string
beforeAll(async () => {
  anvils = await startAnvils({ count: 2 })
  await anvils.mine(3)
  gateway = await startEthRpcUnderTest(anvils.nodes.map(({ name, url, webSocketUrl }) => `${name}=${url}+${webSocketUrl}`).join())
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
  it('that is killed loses nothing written before', async () => {
    spawned = await spawnGateway(gateway.environment, 1)
    const url = spawned.url + project
    const written = await callsWritten(url)
    const filter = await resultOfRpc<string>(url, 'eth_newBlockFilter')
    const callers = new Callers(() => url)
    await callers.many()
    spawned.process.kill('SIGKILL')
    await spawned.exited
    await callers.stop()
    await expectUsage(written, callers)
    spawned = await spawnGateway(gateway.environment, 1)
    const { hash } = await anvils.mine()
    await eventually(async () => (await resultOfRpc(spawned.url + project, 'eth_blockNumber')) === '0x4' || undefined, 'it has the block')
    expect(await resultOfRpc(spawned.url + project, 'eth_getFilterChanges', filter)).toEqual([hash])
  })

  it('that is stopped ends without an error for any caller, and counts every call', async () => {
    spawned = await spawnGateway({ ...gateway.environment, STOP_DELAY_MS }, 1)
    await endsForNobody()
  })
})

describe('a gateway of several processes', () => {
  it('replaces a killed worker, leaves none behind when the primary is killed, and loses nothing written before', async () => {
    spawned = await spawnGateway(gateway.environment, 2)
    const written = await callsWritten(spawned.url + project)
    const callers = new Callers(() => spawned.url + project)
    await callers.many()
    process.kill(spawned.serving()[0]!, 'SIGKILL')
    await eventually(() => spawned.serving().length === 3 || undefined, 'there is another worker', 60_000)
    // Each call that was under way in it.
    expect(callers.failures).toBeLessThanOrEqual(CALLERS)

    spawned.process.kill('SIGKILL')
    await eventually(() => !spawned.serving().some(isAlive) || undefined, 'the workers have ended')
    await callers.stop()
    await expectUsage(written, callers)
  })

  it('that is stopped ends without an error for any caller, and counts every call', async () => {
    spawned = await spawnGateway({ ...gateway.environment, STOP_DELAY_MS }, 2)
    await endsForNobody()
    expect(spawned.serving().filter(isAlive)).toEqual([])
  })
})

/** It says that it is not ready before it stops, and whoever asks goes elsewhere, as behind any balancer. */
async function endsForNobody(): Promise<void> {
  let url = spawned.url + project
  const callers = new Callers(() => url)
  await callers.many()
  spawned.process.kill('SIGTERM')
  await eventually(async () => !(await isReady(spawned.internalUrl)) || undefined, 'it says that it stops')
  url = gateway.service.url + project
  expect(await spawned.exited).toEqual([0, null])
  await callers.stop()
  expect(callers.failures).toBe(0)
  await eventually(async () => (await callsCounted()) === callers.answered || undefined, 'all calls are counted')
}

/** So many, each by a process that goes on; then nobody asks any more until all are written. */
async function callsWritten(url: string): Promise<number> {
  const callers = new Callers(() => url)
  await callers.many()
  await callers.stop()
  expect(callers.failures).toBe(0)
  await eventually(async () => (await callsCounted()) === callers.answered || undefined, 'what was answered is written')
  return callers.answered
}

async function expectUsage(written: number, { answered }: Callers): Promise<void> {
  const counted = await callsCounted()
  expect(counted).toBeGreaterThanOrEqual(written)
  // Some are counted and never answered; and there may be a filter.
  expect(counted).toBeLessThanOrEqual(written + answered + 2 * CALLERS + 1)
}

async function callsCounted(): Promise<number> {
  const id = project.split('/').at(-1)
  const { body } = await callManagement(gateway.service, 'GET', `/projects/${id}/usage`, { token: gateway.token })
  return body.usage.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)
}

/** Many who ask with hardly a pause. */
class Callers {
  answered = 0
  failures = 0
  private isStopped = false
  private readonly running: Promise<unknown>

  constructor(private readonly url: () => string) {
    this.running = Promise.all(Array.from({ length: CALLERS }, () => this.askOn()))
  }

  async many(): Promise<void> {
    await eventually(() => this.answered > 100 || undefined, 'many calls are answered')
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
  }

  private async askOn(): Promise<void> {
    while (!this.isStopped) {
      const { result } = await callRpc(this.url(), 'eth_chainId').catch(() => ({ result: undefined }))
      if (result === '0x7a69') this.answered++
      else this.failures++
      // Nobody is there: not too often. Else there is something left for whoever is to start.
      await delay(result ? 2 : 50)
    }
  }
}
