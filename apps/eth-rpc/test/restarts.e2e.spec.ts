import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@trestle/testing/eventually'
import { type FaultyStage, startFaultyStage } from './faulty-stage.js'
import { resultOfRpc } from './json-rpc.js'

let stage: FaultyStage
beforeAll(async () => {
  stage = await startFaultyStage()
})
afterAll(() => stage.stop())

it('a process that starts does not serve before it has the blocks that callers know', async () => {
  const known = Number((await stage.mine(6)).number)
  // Longer than the pause between two reports.
  await delay(1_500)
  await Promise.all(stage.upstreams.map((upstream) => upstream.fail({ kind: 'stale', behind: 3 })))
  let started = false
  const starting = stage.gateway.replica().then((replica) => {
    started = true
    return replica
  })
  await delay(3_000)
  expect(started).toBe(false)
  await Promise.all(stage.upstreams.map((upstream) => upstream.heal()))
  const replica = await starting
  const url = await stage.gateway.project({}, { at: replica })
  const first = await eventually(() => resultOfRpc<string>(url, 'eth_blockNumber'), 'the replica answers')
  expect(Number(first)).toBeGreaterThanOrEqual(known)
  await replica.stop()
})
