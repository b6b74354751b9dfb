import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { stakingTexts } from '../texts/staking.js'
import type { DepositTransaction } from './transaction.js'

declare global {
  // Extensions put it here.
  var ethereum: EthereumWallet | undefined
}

/** A wallet that lives in the browser (EIP-1193). */
interface EthereumWallet {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

const Accounts = z.array(z.string()).min(1)
const Refusal = z.object({ code: z.number().optional(), message: z.string() })
// EIP-1193 and EIP-3326.
const USER_REJECTED = 4001
const CHAIN_UNKNOWN = 4902
const texts = stakingTexts.wallet

export function injectedWallet(): EthereumWallet | undefined {
  return globalThis.ethereum
}

/** Has the wallet's owner send it; the hash of the transaction. */
export async function sendWith(wallet: EthereumWallet, transaction: DepositTransaction): Promise<string> {
  try {
    const [from] = Accounts.parse(await wallet.request({ method: 'eth_requestAccounts' }))
    await switchTo(wallet, transaction.chainId)
    return z.string().parse(await wallet.request({ method: 'eth_sendTransaction', params: [{ ...transaction, from }] }))
  } catch (error) {
    throw refused(error)
  }
}

/** Has an address sign a text (ERC-191). */
export async function signWith(wallet: EthereumWallet, text: string, address: string): Promise<string> {
  try {
    await wallet.request({ method: 'eth_requestAccounts' })
    const bytes = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'))
    return z.string().parse(await wallet.request({ method: 'personal_sign', params: [`0x${bytes.join('')}`, address] }))
  } catch (error) {
    throw refused(error)
  }
}

/** A deposit on another chain would be lost. */
async function switchTo(wallet: EthereumWallet, chainId: string): Promise<void> {
  const isThere = async () => BigInt(z.string().parse(await wallet.request({ method: 'eth_chainId' }))) === BigInt(chainId)
  if (await isThere()) return
  await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  if (!(await isThere())) throw { code: CHAIN_UNKNOWN, message: texts.otherChain(Number(chainId)) }
}

function refused(error: unknown): Problem {
  const { code, message } = Refusal.safeParse(error).data ?? { message: texts.strange }
  if (code === USER_REJECTED) return new Problem('conflict', 'WalletRefused', texts.rejected)
  return new Problem('conflict', 'WalletRefused', code === CHAIN_UNKNOWN ? `${texts.unknownChain} ${message}` : texts.failed(message))
}
