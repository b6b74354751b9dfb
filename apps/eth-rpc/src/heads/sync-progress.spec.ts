import { behindReason, syncProgressOf } from './sync-progress.js'

// What clients answer to eth_syncing.
const GETH_INDEXES = {
  startingBlock: '0x0',
  currentBlock: '0x1b4',
  highestBlock: '0x1b4',
  syncedAccounts: '0x0',
  healingTrienodes: '0x0',
  healingBytecode: '0x0',
  txIndexFinishedBlocks: '0x10',
  txIndexRemainingBlocks: '0x1a4',
  stateIndexRemaining: '0x2',
}
const GETH_SYNCS = { ...GETH_INDEXES, currentBlock: '0x64', highestBlock: '0x1b4' }
const GETH_HEALS = { ...GETH_INDEXES, healingTrienodes: '0x7' }
const NETHERMIND_SYNCS = { startingBlock: '0x0', currentBlock: '0x64', highestBlock: '0x1b4', syncMode: 'StateNodes' }
const NETHERMIND_FETCHES_OLD_BODIES = { ...NETHERMIND_SYNCS, currentBlock: '0x1b3', syncMode: 'FastBodies' }
const BESU_SYNCS = { startingBlock: '0x0', currentBlock: '0x64', highestBlock: '0x1b4', pulledStates: '0x1', knownStates: '0x2' }
const ERIGON_SYNCS = {
  startingBlock: '0x0',
  currentBlock: '0x64',
  highestBlock: '0x1b4',
  stages: [
    { stage_name: 'Headers', block_number: '0x1b4' },
    { stage_name: 'Execution', block_number: '0x64' },
  ],
}
const RETH_SYNCS = {
  startingBlock: '0x0',
  currentBlock: '0x64',
  highestBlock: '0x64',
  warpChunksAmount: null,
  stages: [
    { name: 'Headers', block: 436 },
    { name: 'Bodies', block: 300 },
    { name: 'Execution', block: 100 },
    { name: 'Finish', block: 0 },
  ],
}
const RETH_IS_DONE = { ...RETH_SYNCS, stages: RETH_SYNCS.stages.map(({ name }) => ({ name, block: 100 })) }

const OLD = { maxLag: 4, headAge: 3600 }

describe(behindReason, () => {
  it.each([
    ['false, as all say at the head', false],
    ['null', null],
    ['geth, at its head, which indexes', GETH_INDEXES],
    ['Nethermind, which fetches what is old', NETHERMIND_FETCHES_OLD_BODIES],
    ['reth, whose stages are all done', RETH_IS_DONE],
  ])('has nothing against a node that lacks no block: %s', (_, shown) => {
    expect(behindReason(syncProgressOf(shown), OLD)).toBeUndefined()
  })

  it.each([
    ['geth', GETH_SYNCS, 'it synchronizes: it has block 100 of 436'],
    ['geth without all of its state', GETH_HEALS, 'it lacks 7 parts of the state'],
    ['Nethermind', NETHERMIND_SYNCS, 'it synchronizes: it has block 100 of 436'],
    ['Besu', BESU_SYNCS, 'it synchronizes: it has block 100 of 436'],
    ['Erigon', ERIGON_SYNCS, 'it synchronizes: it has block 100 of 436'],
    ['reth, which shows its current block as the highest', RETH_SYNCS, 'it synchronizes: it has block 0 of 436'],
    ['what shows no blocks', { batchSeen: 5 }, 'it synchronizes, and does not say how far it is'],
    ['a mere true', true, 'it synchronizes, and does not say how far it is'],
  ])('refuses a node that lacks blocks: %s', (_, shown, reason) => {
    expect(behindReason(syncProgressOf(shown), OLD)).toBe(reason)
  })

  it.each([GETH_SYNCS, true])('believes a young head more than a highest block that a peer may have invented: %j', (shown) => {
    expect(behindReason(syncProgressOf(shown), { maxLag: 4, headAge: 20 })).toBeUndefined()
  })

  it('lets a node lack as many blocks as beside the others', () => {
    const progress = syncProgressOf({ ...GETH_SYNCS, currentBlock: '0x1b0' })
    expect(behindReason(progress, OLD)).toBeUndefined()
    expect(behindReason(progress, { ...OLD, maxLag: 3 })).toBeDefined()
  })
})

describe(syncProgressOf, () => {
  it('notes how much is to be indexed', () => {
    expect(syncProgressOf(GETH_INDEXES)).toEqual({ currentBlock: 436, highestBlock: 436, missingState: 0, toIndex: 422 })
  })
})
