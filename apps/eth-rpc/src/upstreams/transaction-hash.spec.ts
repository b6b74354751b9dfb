import { concat, encodeRlp, keccak256, Transaction, Wallet } from 'ethers'
import { transactionHash } from './transaction-hash.js'

const wallet = new Wallet(`0x${'11'.repeat(32)}`)

describe(transactionHash, () => {
  it.each([
    ['legacy', { type: 0, gasPrice: 1 }],
    ['EIP-2930', { type: 1, gasPrice: 1, accessList: [] }],
    ['EIP-1559', { type: 2, maxFeePerGas: 9, maxPriorityFeePerGas: 1, data: `0x${'ab'.repeat(3000)}` }],
  ])('is that of a %s transaction', async (_, fields) => {
    const raw = await wallet.signTransaction({ to: wallet.address, nonce: 1, gasLimit: 21_000, chainId: 1, ...fields })
    expect(transactionHash(raw)).toBe(Transaction.from(raw).hash)
    expect(transactionHash(raw.toUpperCase().replace('0X', '0x'))).toBe(Transaction.from(raw).hash)
  })

  it('is that of an EIP-4844 transaction, with its blobs or without', () => {
    const body = [
      '0x01',
      '0x02',
      '0x',
      '0x',
      '0x5208',
      wallet.address,
      '0x',
      `0x${'cd'.repeat(300)}`,
      [],
      '0x01',
      [`0x01${'00'.repeat(31)}`],
      '0x',
      '0x01',
      '0x02',
    ]
    const raw = concat(['0x03', encodeRlp(body)])
    const blob = `0x${'00'.repeat(131_072)}`
    const wrapped = concat(['0x03', encodeRlp([body, [blob], ['0xc0'], ['0xd0']])])
    expect(transactionHash(raw)).toBe(keccak256(raw))
    expect(transactionHash(wrapped)).toBe(keccak256(raw))
  })

  it.each([undefined, 1, '', '0x', '0x1', 'garbage', '0xzz', '0x71c0'])('is none of %p', (raw) => {
    expect(transactionHash(raw)).toBeUndefined()
  })

  it.each(['0x03', '0x03f9', '0x03f90000', '0x03c0', '0x03f8ffff'])('does not throw on what no node accepts: %s', (raw) => {
    expect(transactionHash(raw)).toMatch(/^0x[0-9a-f]{64}$/)
  })
})
