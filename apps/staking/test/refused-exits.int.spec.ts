import { ReconcilerHarness } from './reconciler-harness.js'

let harness: ReconcilerHarness
beforeAll(async () => {
  harness = await ReconcilerHarness.open()
})
afterAll(() => harness.close())

describe('an exit that every node refuses', () => {
  it('keeps its reason, and is sent again once an epoch', async () => {
    const key = await harness.create()
    await harness.pass()
    await harness.deposit(key.depositCall)
    await harness.until(key, 'active_ongoing')
    await harness.dev('advance', { epochs: 70 })
    const beacon = harness.chains.beacon('dev')
    const send = beacon.sendExit.bind(beacon)
    let sent = 0
    beacon.sendExit = async () => {
      sent++
      return [{ node: 'beacon node 1', outcome: 'refused', reason: 'must have no pending balance' }]
    }
    await harness.set(key, 'exit_requested_at', new Date())
    for (let passes = 0; passes < 3; passes++) await harness.pass()
    expect(sent).toBe(1)
    expect(await harness.row(key)).toMatchObject({ exit_problem: 'must have no pending balance' })
    expect(await harness.alarms()).toMatchObject({ 'exit-refused': 1 })
    beacon.sendExit = send
    await harness.until(key, 'active_exiting')
    expect(await harness.row(key)).toMatchObject({ exit_problem: null })
  })
})
