import { decodeDepositCall, hex } from './deposit-call.js'
import type { DepositNetwork } from './networks.js'

/** What a wallet signs, in the form of `eth_sendTransaction`. */
export interface DepositTransaction {
  readonly to: string
  readonly value: string
  readonly data: string
  readonly chainId: string
}

const VALUE_WEI = 32n * 10n ** 18n

export function depositTransaction(depositData: string, { chainId, depositContract }: DepositNetwork): DepositTransaction {
  return { to: depositContract, value: `0x${VALUE_WEI.toString(16)}`, data: depositData, chainId: `0x${chainId.toString(16)}` }
}

/** The same for a terminal; the arguments stand there one by one, so that they can be read. */
export function castCommand(depositData: string, { chainId, depositContract }: DepositNetwork): string {
  const call = argumentsOf(depositData)
  return [
    `cast send ${depositContract} 'deposit(bytes,bytes,bytes,bytes32)'`,
    ...call.map((argument) => `  ${argument}`),
    `  --value 32ether --chain ${chainId} --rpc-url "$ETH_RPC_URL" --interactive`,
  ].join(' \\\n')
}

/** EIP-681: a link that a wallet may read, also from a QR code. */
export function paymentLink(depositData: string, { chainId, depositContract }: DepositNetwork): string {
  const types = ['bytes', 'bytes', 'bytes', 'bytes32']
  const call = argumentsOf(depositData).map((argument, index) => `${types[index]}=${argument}`)
  return `ethereum:${depositContract}@${chainId}/deposit?${[...call, 'value=32e18'].join('&')}`
}

function argumentsOf(depositData: string): string[] {
  const call = decodeDepositCall(depositData)
  return call ? [call.pubkey, call.withdrawalCredentials, call.signature, call.root].map(hex) : []
}
