import { mkdtempSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { FakeServer } from '@trestle/testing/fake-server'
import { workerFolder } from '@trestle/testing/worker-folder'
import { UNLIMITED } from './faulty-stage.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { callRpc, type TestRpcResponse } from './json-rpc.js'
import { type SpawnedGateway, spawnGateway } from './spawned-gateway.js'

// Several processes start, on a machine that may be busy.
jest.setTimeout(180_000)

const KEY = 'pr0vider-k3y'
const BUDGET = 300

/** Answers as a hosted node does: only to whoever has a key, and counts. */
class Provider extends FakeServer {
  calls = 0
  refused = 0

  constructor(private readonly node: string) {
    super()
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (request.headers['x-api-key'] !== KEY) {
      this.refused++
      response.writeHead(401).end('{"error":"who are you?"}')
      return
    }
    this.calls++
    const answer = await fetch(this.node, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
}

let anvils: TestAnvils
let provider: Provider
let gateway: EthRpcUnderTest
let spawned: SpawnedGateway
let path: string
let url: string

beforeAll(async () => {
  anvils = await startAnvils({ count: 3 })
  await anvils.mine(3)
  const [, hosted, other] = anvils.nodes
  provider = await new Provider(hosted!.url).listen()
  gateway = await startEthRpcUnderTest(`other=${other!.url}`)
  path = join(mkdtempSync(join(workerFolder(), 'budgets-')), 'upstreams.yaml')
  write(BUDGET)
  spawned = await start()
})
afterAll(async () => {
  await spawned?.stop()
  await gateway?.stop()
  await provider?.stop()
  await anvils?.stop()
})

// Each continues where the one before ended.
describe('a provider with a header key and a budget, behind two workers', () => {
  it('is asked for nothing but its head while the own node answers', async () => {
    const before = provider.calls
    for (let call = 0; call < 100; call++) expect(await ask()).toHaveProperty('result')
    expect(provider.calls - before).toBeLessThan(10)
    expect(provider.refused).toBe(0)
  })

  it('answers when the own node dies, until the budget is used up', async () => {
    await anvils.kill(0)
    await eventually(async () => 'result' in (await ask()) || undefined, 'the provider answers')
    await eventually(isUsedUp, 'it is used up', 60_000)
    await eventually(isRefusedTenTimes, 'all processes know')
    const { calls } = provider
    // What two workers and the process that follows the chain had sent before they knew of each other.
    expect(calls).toBeGreaterThanOrEqual(BUDGET)
    expect(calls).toBeLessThan(BUDGET * 1.5)
    for (let call = 0; call < 5; call++) expect(await ask()).not.toHaveProperty('result')
    expect(provider.calls).toBe(calls)
  })

  it('says so: once in the log, in metrics and at the internal port', async () => {
    const about = 'a budget is used up, and its upstreams are not asked until the month ends'
    const logged = () => spawned.lines.filter(({ msg }) => msg === about)
    await eventually(() => logged().length > 0 || undefined, 'it is logged')
    await delay(2_000)
    expect(logged()).toHaveLength(1)
    expect(await metric('upstream_budget{budget="hosted"}')).toBe(BUDGET)
    expect(await metric('upstream_refused{upstream="hosted",reason="spent"}')).toBe(1)
    const readiness = await (await fetch(`${spawned.internalUrl}/readyz`)).json()
    expect(readiness).toMatchObject({ notes: { budgets: expect.stringMatching(/^hosted is used up until 20\d\d-\d\d-01T00:00:00/) } })
    expect(JSON.stringify([spawned.lines, readiness])).not.toContain(KEY)
  })

  it('answers again when the budget is raised in the file', async () => {
    write(BUDGET * 100)
    await eventually(async () => 'result' in (await ask()) || undefined, 'the provider answers again', 30_000)
    expect(await metric('upstream_budget_used{budget="hosted"}')).toBeGreaterThanOrEqual(BUDGET)
  })

  it('has used as much after a crash of all processes', async () => {
    const { calls } = provider
    await delay(2_500)
    await spawned.stop()
    spawned = await start()
    const used = async () => ((await metric('upstream_budget_used{budget="hosted"}')) >= calls ? true : undefined)
    await eventually(used, 'the spending of the processes before is known', 30_000)
    await ask()
  })
})

function start(): Promise<SpawnedGateway> {
  return spawnGateway({ ...gateway.environment, UPSTREAMS: '', UPSTREAMS_FILE: path, PROVIDER_KEY: KEY }, 2).then(async (begun) => {
    url = begun.url + new URL(await gateway.project(UNLIMITED)).pathname
    return begun
  })
}

function write(budget: number): void {
  const own = `  - { name: own, url: '${anvils.nodes[0]!.url}' }\n`
  const hosted = `  - { name: hosted, url: '${provider.url}', headers: { x-api-key: 'env:PROVIDER_KEY' }, priority: 9, budget: hosted }\n`
  writeFileSync(path, `budgets: { hosted: ${budget} }\nupstreams:\n${own}${hosted}`)
}

async function isUsedUp(): Promise<true | undefined> {
  await ask()
  return (await metric('upstream_budget_used{budget="hosted"}')) >= BUDGET || undefined
}

async function isRefusedTenTimes(): Promise<true | undefined> {
  for (let call = 0; call < 10; call++) if ((await ask()).error?.code !== -32_002) return undefined
  return true
}

let asked = 0
/** Never answered from a cache. */
function ask(): Promise<TestRpcResponse> {
  return callRpc(url, 'eth_getBalance', `0x${(++asked).toString(16).padStart(40, '0')}`, 'latest')
}

async function metric(name: string): Promise<number> {
  const lines = (await (await fetch(`${spawned.internalUrl}/metrics`)).text()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? Number.NaN)
}
