import { smallBlock } from '../../test/small-chain.js'
import { type ChainBlock, FollowedChain } from '../heads/followed-chain.js'
import { logCheckOf } from './log-check.js'
import { bloomOf } from './logs-bloom.js'

const ADDRESS = `0x${'a1'.repeat(20)}`
const OTHER = `0x${'b2'.repeat(20)}`
const CRITERIA = { addresses: new Set([ADDRESS]), topics: [] }
const NOW = 1_000_000
const OLD = NOW - 120_000

describe(logCheckOf, () => {
  it.each([
    ['no log where there is none', block(6, []), [], undefined],
    ['no log of another contract', block(6, [OTHER]), [], undefined],
    ['no log where the bloom has one, in a new block', block(6, [ADDRESS], NOW), [], 'early'],
    ['no log where the bloom has one, in an older block', block(6, [ADDRESS]), [], 'doubtful'],
    ['a log', block(6, [ADDRESS], NOW), [6], undefined],
    ['a log of a block that was not asked for', block(6, [ADDRESS]), [7], 'wrong'],
    ['logs but not those of the newest block', block(6, [ADDRESS], NOW), [5], 'early'],
    // A full bloom matches anything: of what is old, only nothing at all is suspicious.
    ['logs but not those of an older block', block(6, [ADDRESS]), [5], undefined],
  ])('thinks of %s', (_, head, found, expected) => {
    const chain = chainOf(block(4, []), block(5, []), head)
    const check = logCheckOf({ criteria: CRITERIA, range: { fromBlock: 4, toBlock: 6 } }, chain, NOW)
    expect(check(logsOf(found))).toBe(expected)
  })

  it.each([
    ['nothing, as the bloom says', [], OTHER, undefined],
    ['nothing, against the bloom', [], ADDRESS, 'doubtful'],
    ['logs of that block', [6], ADDRESS, undefined],
    ['logs of another block', [5], ADDRESS, 'wrong'],
  ])('thinks of a block by its hash: %s', (_, found, address, expected) => {
    const head = block(6, [address])
    const check = logCheckOf({ criteria: CRITERIA, range: { blockHash: head.hash } }, chainOf(block(5, []), head), NOW)
    expect(check(logsOf(found))).toBe(expected)
  })

  it('has nothing against logs of blocks that are not known, or have no bloom', () => {
    const chain = chainOf(block(5, []), { ...block(6, []), header: '{}' })
    expect(logCheckOf({ criteria: CRITERIA, range: { fromBlock: 1, toBlock: 3 } }, chain, NOW)(logsOf([]))).toBeUndefined()
    expect(logCheckOf({ criteria: CRITERIA, range: { fromBlock: 6, toBlock: 6 } }, chain, NOW)(logsOf([]))).toBeUndefined()
  })
})

function block(number: number, addresses: readonly string[], receivedAt = OLD): ChainBlock {
  const logsBloom = bloomOf(addresses.map((address) => ({ address, topics: [] })))
  return { ...smallBlock(number), header: JSON.stringify({ logsBloom }), receivedAt }
}

function chainOf(...blocks: readonly ChainBlock[]): FollowedChain {
  const chain = new FollowedChain()
  chain.apply({ removed: [], added: blocks, resetFrom: [] })
  return chain
}

function logsOf(numbers: readonly number[]): Buffer {
  const log = (number: number) => ({ address: ADDRESS, blockHash: smallBlock(number).hash, blockNumber: `0x${number.toString(16)}` })
  return Buffer.from(JSON.stringify(numbers.map(log)))
}
