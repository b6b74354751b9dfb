import { setTimeout as delay } from 'node:timers/promises'
import { Readiness } from '@trestle/runtime/readiness'
import { HeadReadinessService } from '../../src/heads/head-readiness.service.js'
import { servingOf, syncingOf } from '../../src/heads/service-state.js'
import { type ReceivedCall, ScriptedNode, says } from '../upstreams/scripted-node.js'
import { type Tracked, track, untilTrue } from './tracked.js'

// What a geth shows that has all blocks and indexes them, and one that does not have them.
const INDEXES = { startingBlock: '0x0', currentBlock: '0x64', highestBlock: '0x64', txIndexRemainingBlocks: '0x9' }
const SYNCS = { startingBlock: '0x0', currentBlock: '0x64', highestBlock: '0x1f4', txIndexRemainingBlocks: '0x0' }

let node: ScriptedNode
let tracked: Tracked
let lines: string[]
beforeEach(async () => {
  node = await ScriptedNode.start()
  lines = []
})
afterEach(async () => {
  await tracked.stop()
  node.stop()
})

it('follows a node that only indexes', async () => {
  follow(INDEXES)
  await tracked.tracker.ready()
  expect(tracked.tracker.upstreams.get('n0')).toMatchObject({ isUsable: true, head: 100 })
  expect(syncingOf(tracked.tracker.upstreams.values())).toBe(false)
  expect(servingOf(tracked.tracker.upstreams.values())).toBe(1)
  expect(lines.join()).toContain('the upstream indexes, which makes no answer wrong')
})

it('refuses a node that lacks blocks, and says why: in log, metric and readiness', async () => {
  follow(SYNCS)
  const detail = 'it synchronizes: it has block 100 of 500'
  await untilTrue(() => tracked.tracker.upstreams.get('n0')?.refusal?.detail === detail)
  expect(syncingOf(tracked.tracker.upstreams.values())).toEqual({ startingBlock: '0x0', currentBlock: '0x64', highestBlock: '0x1f4' })
  expect(servingOf(tracked.tracker.upstreams.values())).toBe(0)
  const readiness = new Readiness()
  new HeadReadinessService(tracked.tracker, readiness)
  expect((await readiness.report()).reasons).toEqual({ head: `No head is known. n0: ${detail}.` })
  expect(await tracked.metrics.registry.metrics()).toContain('upstream_refused{upstream="n0",reason="syncing"} 1')
  await untilTrue(() => lines.some((line) => line.includes(detail) && line.includes('the upstream is refused')))
})

it('says which upstream does not answer', async () => {
  node.script = (_, response) => response.destroy()
  tracked = track([{ url: node.url }], {}, log())
  await untilTrue(() => tracked.tracker.upstreams.get('n0')?.refusal?.detail === 'it does not answer')
  await delay(50)
  expect(await tracked.metrics.registry.metrics()).toContain('upstream_refused{upstream="n0",reason="silent"} 1')
})

function follow(syncing: unknown): void {
  node.script = (call, response) => says(answerTo(call, syncing))(call, response)
  tracked = track([{ url: node.url }], {}, log())
}

function answerTo({ method, params }: ReceivedCall, syncing: unknown): unknown {
  if (method === 'eth_chainId') return '0x539'
  if (method === 'eth_syncing') return syncing
  return params[0] === 'latest' || params[0] === '0x64' ? BLOCK : null
}

const BLOCK = { number: '0x64', hash: `0x${'a1'.repeat(32)}`, parentHash: `0x${'a0'.repeat(32)}`, timestamp: '0x10' }

function log(): NodeJS.WritableStream {
  return { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream
}
