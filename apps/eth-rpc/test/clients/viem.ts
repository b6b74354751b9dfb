import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  type PublicClient,
  parseAbi,
  webSocket,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { type CallerUrls, MNEMONIC } from './stage.js'

export type Hex = `0x${string}`

export const CHAIN = defineChain({
  id: 31_337,
  name: 'Anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

export const ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function symbol() view returns (string)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
export const TRANSFER = ABI[3]

/** Has keys that no node has. */
export const SENDER = mnemonicToAccount(MNEMONIC, { addressIndex: 4 })

export function clientOf({ http: url }: CallerUrls): PublicClient {
  return createPublicClient({ chain: CHAIN, transport: http(url), pollingInterval: 50, cacheTime: 0 })
}

export function walletOf({ http: url }: CallerUrls, account = SENDER) {
  return createWalletClient({ chain: CHAIN, transport: http(url), account })
}

/** A client on a connection of its own, and how to close that. */
export async function connected({ webSocket: url }: CallerUrls) {
  const client = createPublicClient({ chain: CHAIN, transport: webSocket(url) })
  const { close } = await client.transport.getRpcClient()
  return { client: client as PublicClient, close }
}

/** What can be told of an error, whoever it comes from: everything but the address that was asked. */
export async function viemRefusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof BaseError)) throw error
  const { name, shortMessage, details } = error
  const coded = error.walk((cause) => typeof (cause as { code?: unknown }).code === 'number')
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
  const { reason, raw } = reverted instanceof ContractFunctionRevertedError ? reverted : {}
  return { name, shortMessage, details, code: (coded as { code?: number } | null)?.code, reason, raw }
}
