import { bls12_381 } from '@noble/curves/bls12-381.js'
import { getAddress, Interface } from 'ethers'
import fc from 'fast-check'
import { formatAddress } from '../src/address.js'
import { publicKeyOf, sign } from '../src/bls.js'
import { DEPOSIT_EVENT_TOPIC, encodeDepositCall, encodeDepositEvent } from '../src/deposit.js'
import { depositDataRoot } from '../src/ssz.js'
import { uint64LittleEndian } from '../src/uint64.js'
import { arbitraryBytes, depositData, secretKey, uint64 } from './arbitraries.js'

// Two libraries of other authors are asked the same.

const contract = new Interface([
  'function deposit(bytes pubkey, bytes withdrawal_credentials, bytes signature, bytes32 deposit_data_root) payable',
  'event DepositEvent(bytes pubkey, bytes withdrawal_credentials, bytes amount, bytes signature, bytes index)',
])

it('ethers writes an address so', () => {
  fc.assert(fc.property(arbitraryBytes(20), (address) => expect(formatAddress(address)).toBe(getAddress(`0x${address.toString('hex')}`))))
})

it('ethers encodes a deposit call so', () => {
  fc.assert(
    fc.property(depositData, (deposit) => {
      const { pubkey, withdrawalCredentials, signature } = deposit
      const encoded = contract.encodeFunctionData('deposit', [pubkey, withdrawalCredentials, signature, depositDataRoot(deposit)])
      expect(`0x${encodeDepositCall(deposit).toString('hex')}`).toBe(encoded)
    }),
  )
})

it('ethers encodes a DepositEvent so', () => {
  fc.assert(
    fc.property(depositData, uint64, (deposit, index) => {
      const { pubkey, withdrawalCredentials, amountGwei, signature } = deposit
      const values = [pubkey, withdrawalCredentials, uint64LittleEndian(amountGwei), signature, uint64LittleEndian(index)]
      const { data, topics } = contract.encodeEventLog('DepositEvent', values)
      expect(`0x${encodeDepositEvent({ ...deposit, index }).toString('hex')}`).toBe(data)
      expect(topics).toEqual([`0x${DEPOSIT_EVENT_TOPIC.toString('hex')}`])
    }),
  )
})

it('noble signs so, told the ciphersuite', () => {
  const { longSignatures } = bls12_381
  fc.assert(
    fc.property(secretKey, arbitraryBytes(32), (key, message) => {
      const point = longSignatures.hash(message, 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_')
      expect(sign(key, message)).toEqual(Buffer.from(longSignatures.Signature.toBytes(longSignatures.sign(point, key))))
      expect(publicKeyOf(key)).toEqual(Buffer.from(longSignatures.getPublicKey(key).toBytes()))
    }),
    { numRuns: 5 },
  )
})
