import { concat, encodeRlp, Signature, Transaction, Wallet } from 'ethers'
import fc from 'fast-check'
import { transactionSender } from './transaction-sender.js'

const wallet = new Wallet(`0x${'11'.repeat(32)}`)
const FROM = wallet.address.toLowerCase()

describe(transactionSender, () => {
  it.each([
    ['legacy', { type: 0, gasPrice: 1 }],
    ['of EIP-2930', { type: 1, gasPrice: 1, accessList: [{ address: wallet.address, storageKeys: [`0x${'00'.repeat(32)}`] }] }],
    ['of EIP-1559', { type: 2, maxFeePerGas: 9, maxPriorityFeePerGas: 1, data: `0x${'ab'.repeat(3000)}` }],
    ['of a chain with a large id', { type: 0, gasPrice: 1, chainId: 2 ** 50 }],
    ['without data and value', { type: 2, maxFeePerGas: 9, maxPriorityFeePerGas: 1, nonce: 0 }],
  ])('is who signed a transaction %s', async (_, fields) => {
    const raw = await wallet.signTransaction({ to: wallet.address, nonce: 1, gasLimit: 21_000, chainId: 1, ...fields })
    expect(transactionSender(raw)).toBe(FROM)
    expect(transactionSender(raw.toUpperCase().replace('0X', '0x'))).toBe(FROM)
  })

  it('is who signed a legacy transaction that is good on every chain', () => {
    const unsigned = Transaction.from({ type: 0, to: wallet.address, nonce: 1, gasLimit: 21_000, gasPrice: 1, chainId: 0 })
    const signed = unsigned.clone()
    signed.signature = wallet.signingKey.sign(unsigned.unsignedHash)
    expect(transactionSender(signed.serialized)).toBe(FROM)
  })

  it('is who signed a blob transaction, with its blobs or without', () => {
    const unsigned = Transaction.from({
      ...{ type: 3, to: wallet.address, nonce: 1, gasLimit: 21_000, chainId: 1, maxFeePerGas: 9, maxPriorityFeePerGas: 1 },
      ...{ maxFeePerBlobGas: 1, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] },
    })
    const signed = unsigned.clone()
    signed.signature = wallet.signingKey.sign(unsigned.unsignedHash)
    expect(transactionSender(signed.serialized)).toBe(FROM)
    const body = `0x${signed.serialized.slice(4)}`
    const blob = encodeRlp([`0x${'00'.repeat(131_072)}`])
    const rest = concat([blob, encodeRlp(['0xc0']), encodeRlp(['0xd0'])])
    const length = (body.length - 2 + rest.length - 2) / 2
    const wrapped = concat(['0x03fa', `0x${length.toString(16).padStart(6, '0')}`, body, rest])
    expect(transactionSender(wrapped)).toBe(FROM)
  })

  it('is who signed a transaction that sets code (EIP-7702)', async () => {
    const authorization = {
      address: wallet.address,
      nonce: 1n,
      chainId: 1n,
      signature: Signature.from(wallet.signingKey.sign(`0x${'22'.repeat(32)}`)),
    }
    const fields = { type: 4, to: wallet.address, nonce: 1, gasLimit: 21_000, chainId: 1, maxFeePerGas: 9, maxPriorityFeePerGas: 1 }
    expect(transactionSender(await wallet.signTransaction({ ...fields, authorizationList: [authorization] }))).toBe(FROM)
  })

  it.each([undefined, 7, '', '0x', '0x0', '0xzz', '0x7e01', '0xc0', '0xf8', '0x02c0', '0x02f9ffff', `0x${'ff'.repeat(100)}`])(
    'of %j is not known',
    (raw) => {
      expect(transactionSender(raw)).toBeUndefined()
    },
  )

  it('of a signature that is none is not known', () => {
    const fields = ['0x01', '0x01', '0x5208', wallet.address, '0x', '0x', '0x25']
    expect(transactionSender(encodeRlp([...fields, `0x${'ff'.repeat(32)}`, '0x01']))).toBeUndefined()
  })

  it('never throws, whatever is cut or changed', async () => {
    const raw = await wallet.signTransaction({
      to: wallet.address,
      nonce: 1,
      gasLimit: 1,
      chainId: 1,
      maxFeePerGas: 9,
      maxPriorityFeePerGas: 1,
    })
    fc.assert(
      fc.property(fc.nat(raw.length / 2 - 2), fc.nat(255), fc.nat(raw.length / 2), (at, byte, end) => {
        const bytes = Buffer.from(raw.slice(2), 'hex')
        bytes[at] = byte
        transactionSender(`0x${bytes.subarray(0, end).toString('hex')}`)
      }),
      { numRuns: 50 },
    )
  })
})
