import fc from 'fast-check'
import { arbitraryBytes, uint64 } from '../test/arbitraries.js'
import { InvalidEthereumData } from './malformed.js'
import {
  encodeWithdrawalRequest,
  parseWithdrawalRequest,
  parseWithdrawalRequestEvent,
  withdrawalRequestFeeWei,
} from './withdrawal-request.js'

const request = fc.record({ pubkey: arbitraryBytes(48), amountGwei: uint64 })

describe('EIP-7002', () => {
  it('reads what was written, in a call and in the log of it', () => {
    fc.assert(
      fc.property(request, arbitraryBytes(20), (request, sourceAddress) => {
        const callData = encodeWithdrawalRequest(request)
        expect(parseWithdrawalRequest(callData)).toEqual(request)
        const data = Buffer.concat([sourceAddress, callData])
        expect(parseWithdrawalRequestEvent({ topics: [], data })).toEqual({ sourceAddress, ...request })
      }),
    )
  })

  it('writes the amount with its highest byte first', () => {
    const callData = encodeWithdrawalRequest({ pubkey: Buffer.alloc(48, 0xab), amountGwei: 1_000_000_000n })
    expect(callData.toString('hex')).toBe(`${'ab'.repeat(48)}000000003b9aca00`)
  })

  it('refuses what has another length or a topic', () => {
    fc.assert(
      fc.property(arbitraryBytes(0, 120), (noise) => {
        if (noise.length !== 56) expect(() => parseWithdrawalRequest(noise)).toThrow(InvalidEthereumData)
        if (noise.length !== 76) expect(() => parseWithdrawalRequestEvent({ topics: [], data: noise })).toThrow(InvalidEthereumData)
      }),
    )
    expect(() => parseWithdrawalRequestEvent({ topics: [Buffer.alloc(32)], data: Buffer.alloc(76) })).toThrow(InvalidEthereumData)
    expect(() => encodeWithdrawalRequest({ pubkey: Buffer.alloc(47), amountGwei: 0n })).toThrow(InvalidEthereumData)
    expect(() => encodeWithdrawalRequest({ pubkey: Buffer.alloc(48), amountGwei: 2n ** 64n })).toThrow(InvalidEthereumData)
  })

  it('asks the exponential of the excess, or a little less, for the specification rounds each term down', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), (excess) => {
        const [fee, exact] = [Number(withdrawalRequestFeeWei(BigInt(excess))), Math.exp(excess / 17)]
        expect(fee).toBeLessThanOrEqual(exact)
        expect(fee).toBeGreaterThan(0.99 * exact - 2)
      }),
    )
    expect(withdrawalRequestFeeWei(0n)).toBe(1n)
  })
})
