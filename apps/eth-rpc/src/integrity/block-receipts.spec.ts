import { keccak_256 } from '@noble/hashes/sha3.js'
import type { ChainBlock } from '../heads/followed-chain.js'
import { receiptsSuspicion } from './block-receipts.js'

const NO_LOGS = { logsBloom: `0x${'0'.repeat(512)}`, logs: [] }
// The first two transactions of block 35,535,698 of Unichain Sepolia, and the root that its sequencer published with them.
const DEPOSIT = {
  type: '0x7e',
  status: '0x1',
  cumulativeGasUsed: '0xb41c',
  depositNonce: '0x21e3b52',
  depositReceiptVersion: '0x1',
  ...NO_LOGS,
}
const CALL = { type: '0x2', status: '0x1', cumulativeGasUsed: '0x10994', ...NO_LOGS }
const UNICHAIN_ROOT = '0x91d8ad10740ccfc1bd848fba0e02668d95769c08eeea30f10698692ba86c6159'

describe(receiptsSuspicion, () => {
  it('is none of the receipts of an OP stack, with the nonce of a deposit', () => {
    expect(suspicionOf([DEPOSIT, CALL])).toBeUndefined()
    // What a chain adds for its callers is not hashed.
    expect(
      suspicionOf([DEPOSIT, { ...CALL, l1Fee: '0x5', l1GasUsed: '0x640', operatorFeeScalar: '0x0', daFootprintGasScalar: '0x94' }]),
    ).toBeUndefined()
    expect(suspicionOf([{ ...DEPOSIT, depositNonce: '0x21e3b53' }, CALL])).toBe('doubtful')
    expect(suspicionOf([DEPOSIT])).toBe('doubtful')
  })

  it('is none where Polygon shows the transaction of its L1 as the last', () => {
    const block = blockWith(UNICHAIN_ROOT, 54_702_496)
    const transactionHash = stateSyncHash(block)
    const stateSync = { type: '0x0', status: '0x1', cumulativeGasUsed: '0x0', transactionHash, ...NO_LOGS }
    expect(suspicionOf([DEPOSIT, CALL, stateSync], block)).toBeUndefined()
    // Of another block, or elsewhere than at the end, it is one too many.
    expect(suspicionOf([DEPOSIT, CALL, stateSync])).toBe('doubtful')
    expect(suspicionOf([stateSync, DEPOSIT, CALL], block)).toBe('doubtful')
  })

  it('is none of a chain that keeps no root', () => {
    expect(suspicionOf([CALL], blockWith(`0x${'0'.repeat(64)}`))).toBeUndefined()
  })
})

function suspicionOf(receipts: readonly object[], block = blockWith(UNICHAIN_ROOT)) {
  return receiptsSuspicion(Buffer.from(JSON.stringify(receipts)), block)
}

function blockWith(receiptsRoot: string, number = 35_535_698): ChainBlock {
  return {
    number,
    hash: `0x${'ab'.repeat(32)}`,
    parentHash: `0x${'cd'.repeat(32)}`,
    header: JSON.stringify({ receiptsRoot }),
    receivedAt: 0,
  }
}

function stateSyncHash({ number, hash }: ChainBlock): string {
  const big = Buffer.alloc(8)
  big.writeBigUInt64BE(BigInt(number))
  const bytes = Buffer.concat([Buffer.from('matic-bor-receipt-'), big, Buffer.from(hash.slice(2), 'hex')])
  return `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`
}
