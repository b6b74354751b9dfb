import { ssz } from '@lodestar/types'
import { BeaconHistory } from './history.js'

const ROOT = Buffer.alloc(32)
const REWARDS = { proposer: 0, attestations: 0, syncAggregate: 0, attesterSlashings: 0, sync: new Map() }

describe(BeaconHistory, () => {
  it('has the states of the last 320 slots, by slot and root', () => {
    const history = filled(new BeaconHistory(false), 400)
    expect([79, 80, 81, 400].map((slot) => history.state(slot)?.slot)).toEqual([undefined, undefined, 81, 400])
    expect([80, 81].map((slot) => history.slotOfStateRoot(rootOf(slot)))).toEqual([undefined, 81])
  })

  it('forgets nothing as an archive', () => {
    const history = filled(new BeaconHistory(true), 400)
    expect([0, 80, 400].map((slot) => history.state(slot)?.slot)).toEqual([0, 80, 400])
  })

  it('has a block by its root, and what it paid out by that of its payload', () => {
    const history = new BeaconHistory(false)
    const message = ssz.electra.BeaconBlock.defaultValue()
    message.slot = 5
    message.body.executionPayload.blockHash = Buffer.alloc(32, 2)
    const withdrawal = { index: 0, validatorIndex: 7, address: Buffer.alloc(20, 3), amount: 9n }
    message.body.executionPayload.withdrawals = [withdrawal]
    history.addBlock({ message, signature: Buffer.alloc(96) }, Buffer.alloc(32, 1), REWARDS)
    expect(history.blockOfRoot(`0x${'01'.repeat(32)}`)).toMatchObject({ slot: 5 })
    expect(history.withdrawalsOf(`0x${'02'.repeat(32)}`)).toMatchObject([{ validatorIndex: 7, amount: 9n }])
    expect([history.blockOfRoot(rootOf(9)), history.withdrawalsOf(rootOf(9))]).toEqual([undefined, undefined])
  })

  function filled(history: BeaconHistory, last: number): BeaconHistory {
    const state = ssz.electra.BeaconState.defaultViewDU()
    for (let slot = 0; slot <= last; slot++) {
      state.slot = slot
      state.commit()
      history.addState(slot, Buffer.from(rootOf(slot).slice(2), 'hex'), state.node)
    }
    return history
  }

  function rootOf(slot: number): string {
    const root = Buffer.from(ROOT)
    root.writeUInt32BE(slot)
    return `0x${root.toString('hex')}`
  }
})
