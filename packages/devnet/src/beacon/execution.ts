import { MAX_WITHDRAWAL_REQUESTS_PER_PAYLOAD } from '@lodestar/params'
import type { capella, electra } from '@lodestar/types'
import { DEPOSIT_EVENT_TOPIC, parseDepositEvent } from '@trestle/ethereum/deposit'
import { formatHex, parseHex } from '@trestle/ethereum/hex'
import { parseWithdrawalRequestEvent, WITHDRAWAL_REQUEST_CONTRACT } from '@trestle/ethereum/withdrawal-request'
import type { RpcInvocation } from '../chains/node-rpc.js'
import type { EthereumRpc } from '../ethereum/ethereum-rpc.js'
import { DEPOSIT_CONTRACT } from './deposit-contract.js'
import { putPredeploys } from './predeploys.js'

export interface BlockOrder {
  readonly feeRecipient: string
  readonly timestamp: number
  readonly withdrawals: readonly capella.Withdrawal[]
  /** The chain goes on without it: the next block has its withdrawals and its requests. */
  readonly isOrphan?: boolean
}

/** A block of anvil as an execution payload, without what the beacon chain adds. */
export interface MinedBlock {
  readonly payload: Omit<electra.ExecutionPayload, 'parentHash' | 'prevRandao' | 'timestamp' | 'withdrawals'>
  readonly requests: electra.ExecutionRequests
}

interface Block {
  readonly number: string
  readonly hash: string
  readonly miner: string
  readonly stateRoot: string
  readonly receiptsRoot: string
  readonly logsBloom: string
  readonly gasLimit: string
  readonly gasUsed: string
  readonly timestamp: string
  readonly extraData: string
  readonly baseFeePerGas: string
  readonly transactions: readonly (string | { readonly hash: string })[]
}

interface Log {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

export interface SavedExecution {
  /** The last block whose logs were processed. */
  readonly number: number
  readonly hash: string
  /** Those that no beacon block had room for. */
  readonly withdrawals: readonly electra.WithdrawalRequest[]
}

/** The execution chain: an anvil that mines a block for each beacon block. */
export class Execution {
  private coinbase = ''
  private processed: SavedExecution

  private constructor(
    readonly rpc: EthereumRpc,
    readonly chainId: number,
    readonly head: { readonly number: number; readonly hash: string; readonly timestamp: number },
  ) {
    this.processed = { number: head.number, hash: head.hash, withdrawals: [] }
  }

  static async open(rpc: EthereumRpc): Promise<Execution> {
    await putPredeploys(rpc)
    const chainId = Number(await rpc.call<string>('eth_chainId'))
    const { number, hash, timestamp } = await rpc.call<Block>('eth_getBlockByNumber', 'latest', false)
    return new Execution(rpc, chainId, { number: Number(number), hash, timestamp: Number(timestamp) })
  }

  save(): SavedExecution {
    return this.processed
  }

  /** False if anvil has another chain, or an older one. */
  async resume(saved: SavedExecution): Promise<boolean> {
    const block = await this.rpc.call<Block | null>('eth_getBlockByNumber', quantity(saved.number), false)
    if (block?.hash !== saved.hash) return false
    this.processed = saved
    return true
  }

  /** Credits the withdrawals, which anvil does not, and mines a block of pending transactions. */
  async mine({ feeRecipient, timestamp, withdrawals, isOrphan = false }: BlockOrder): Promise<MinedBlock> {
    const coinbase: RpcInvocation[] = feeRecipient === this.coinbase ? [] : [['anvil_setCoinbase', feeRecipient]]
    this.coinbase = ''
    // Refused if anvil's time is later already: then nothing is credited.
    await this.rpc.batch([...coinbase, ['evm_setNextBlockTimestamp', timestamp]])
    this.coinbase = feeRecipient
    const { processed } = this
    await this.rpc.batch(
      (isOrphan ? [] : withdrawals).map(({ address, amount }) => ['anvil_addBalance', formatHex(address), quantity(amount * WEI_PER_GWEI)]),
    )
    const [block] = await this.rpc.call<Block[]>('evm_mine_detailed')
    if (!block) throw new Error('anvil mined no block.')
    const requests = await this.takeRequests(block)
    // The next block has them again.
    if (isOrphan) this.processed = processed
    return { payload: { ...payloadOf(block), transactions: await this.transactionsOf(block) }, requests }
  }

  /** EIP-6110, EIP-7002: from all blocks since the last one, because other clients may have made anvil mine. */
  private async takeRequests(block: Block): Promise<electra.ExecutionRequests> {
    const number = Number(block.number)
    const isAlone = number === this.processed.number + 1
    const logs = isAlone && block.transactions.length === 0 ? [] : await this.logsOf(this.processed.number + 1, number)
    const from = (address: string) => logs.filter((log) => log.address === address).map(bytesOf)
    const deposits = from(DEPOSIT_CONTRACT).filter(({ topics }) => topics[0]?.equals(DEPOSIT_EVENT_TOPIC))
    // The contract would queue what exceeds a block's limit; anvil never calls it.
    const withdrawals = [...this.processed.withdrawals, ...from(WITHDRAWAL_REQUESTS).map(withdrawalRequestOf)]
    this.processed = { number, hash: block.hash, withdrawals: withdrawals.slice(MAX_WITHDRAWAL_REQUESTS_PER_PAYLOAD) }
    return {
      deposits: deposits.map(depositRequestOf),
      withdrawals: withdrawals.slice(0, MAX_WITHDRAWAL_REQUESTS_PER_PAYLOAD),
      consolidations: [],
    }
  }

  private logsOf(fromBlock: number, toBlock: number): Promise<Log[]> {
    const address = [DEPOSIT_CONTRACT, WITHDRAWAL_REQUESTS]
    return this.rpc.call('eth_getLogs', { address, fromBlock: quantity(fromBlock), toBlock: quantity(toBlock) })
  }

  private async transactionsOf({ transactions }: Block): Promise<Uint8Array[]> {
    const hashes = transactions.map((transaction) => (typeof transaction === 'string' ? transaction : transaction.hash))
    const raw = await this.rpc.batch<string>(hashes.map((hash) => ['eth_getRawTransactionByHash', hash]))
    return raw.map((bytes) => parseHex(bytes))
  }
}

const WEI_PER_GWEI = 10n ** 9n
const WITHDRAWAL_REQUESTS = formatHex(WITHDRAWAL_REQUEST_CONTRACT)

function depositRequestOf(log: ReturnType<typeof bytesOf>): electra.DepositRequest {
  const { amountGwei, ...event } = parseDepositEvent(log)
  return { ...event, amount: Number(amountGwei) }
}

function withdrawalRequestOf(log: ReturnType<typeof bytesOf>): electra.WithdrawalRequest {
  const { sourceAddress, pubkey, amountGwei } = parseWithdrawalRequestEvent(log)
  return { sourceAddress, validatorPubkey: pubkey, amount: amountGwei }
}

function bytesOf({ topics, data }: Log) {
  return { topics: topics.map((topic) => parseHex(topic)), data: parseHex(data) }
}

function payloadOf(block: Block): Omit<MinedBlock['payload'], 'transactions'> {
  return {
    feeRecipient: parseHex(block.miner),
    stateRoot: parseHex(block.stateRoot),
    receiptsRoot: parseHex(block.receiptsRoot),
    logsBloom: parseHex(block.logsBloom),
    blockNumber: Number(block.number),
    gasLimit: Number(block.gasLimit),
    gasUsed: Number(block.gasUsed),
    extraData: parseHex(block.extraData),
    baseFeePerGas: BigInt(block.baseFeePerGas),
    blockHash: parseHex(block.hash),
    blobGasUsed: 0n,
    excessBlobGas: 0n,
  }
}

function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`
}
