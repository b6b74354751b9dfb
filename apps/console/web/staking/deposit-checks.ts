import { isSameAddress } from './address.js'
import { areEqual, type DepositCall, decodeDepositCall, hex } from './deposit-call.js'
import { computeDepositDataRoot, computeDepositSigningRoot } from './deposit-roots.js'
import type { DepositNetwork } from './networks.js'

export const DEPOSIT_GWEI = 32_000_000_000n

type CheckName = 'call' | 'pubkey' | 'credentials' | 'address' | 'root' | 'signature'

/** One thing that was looked at: what is there, and what should be. */
export interface DepositCheck {
  readonly name: CheckName
  readonly passed: boolean
  readonly found: string
  readonly expected?: string
}

interface ExpectedDeposit {
  readonly depositData: string
  readonly pubkey: string
  readonly withdrawalAddress: string
  readonly compounding: boolean
}

/** Verifies the signature; injected, as pairings are loaded on demand. */
type IsSignedBy = (pubkey: Uint8Array, root: Uint8Array, signature: Uint8Array) => boolean

/** Everything that can be verified before 32 ETH are sent. */
export function checkDeposit(expected: ExpectedDeposit, network: DepositNetwork, isSignedBy: IsSignedBy): DepositCheck[] {
  const call = decodeDepositCall(expected.depositData)
  if (!call) return [{ name: 'call', passed: false, found: `${expected.depositData.slice(0, 10)}…` }]
  return [
    { name: 'call', passed: true, found: expected.depositData.slice(0, 10) },
    same('pubkey', hex(call.pubkey), `0x${expected.pubkey}`),
    ...credentialsChecks(call, expected),
    rootCheck(call),
    signatureCheck(call, network, isSignedBy),
  ]
}

/** EIP-7251 and the consensus specification: a kind, eleven zero bytes, the address. */
function credentialsChecks({ withdrawalCredentials }: DepositCall, { compounding, withdrawalAddress }: ExpectedDeposit): DepositCheck[] {
  const written = hex(withdrawalCredentials)
  return [
    same('credentials', written.slice(0, 26), `0x${compounding ? '02' : '01'}${'00'.repeat(11)}`),
    same('address', `0x${written.slice(26)}`, withdrawalAddress),
  ]
}

function rootCheck(call: DepositCall): DepositCheck {
  const computed = computeDepositDataRoot({ ...call, amountGwei: DEPOSIT_GWEI })
  return { name: 'root', passed: areEqual(computed, call.root), found: hex(call.root), expected: hex(computed) }
}

function signatureCheck(call: DepositCall, { genesisForkVersion }: DepositNetwork, isSignedBy: IsSignedBy): DepositCheck {
  const root = computeDepositSigningRoot({ ...call, amountGwei: DEPOSIT_GWEI }, genesisForkVersion)
  return { name: 'signature', passed: isSignedBy(call.pubkey, root, call.signature), found: hex(call.signature) }
}

function same(name: CheckName, found: string, expected: string): DepositCheck {
  return { name, passed: isSameAddress(found, expected), found, expected }
}
