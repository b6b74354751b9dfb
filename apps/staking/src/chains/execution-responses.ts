import { type DepositEvent, parseDepositEvent } from '@trestle/ethereum/deposit'
import { parseHex } from '@trestle/ethereum/hex'
import { messageOf } from '@trestle/problem/thrown'
import { z } from 'zod'
import { Bytes, Quantity, QuantityNumber } from './upstream-json.js'

// Results of the execution layer's JSON-RPC (github.com/ethereum/execution-apis), parsed into our terms.

interface ExecutionTransaction {
  readonly hash: Buffer
  readonly from: Buffer
  readonly to?: Buffer
  readonly valueWei: bigint
}

export interface ExecutionBlock {
  readonly number: number
  readonly hash: Buffer
  readonly feeRecipient: Buffer
  readonly baseFeePerGas: bigint
  readonly withdrawals: readonly {
    readonly index: bigint
    readonly validatorIndex: bigint
    readonly address: Buffer
    readonly amountGwei: bigint
  }[]
  /** In order; with the last one a builder pays the proposer. */
  readonly transactions: readonly ExecutionTransaction[]
}

export interface Receipt {
  readonly transactionHash: Buffer
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  readonly succeeded: boolean
}

export type LoggedDeposit = DepositEvent & { readonly blockNumber: number }

const Data = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'is not data')
  .transform((text) => parseHex(text))

export const ChainIdResult = QuantityNumber

export const LatestBlockResult = z.object({ number: QuantityNumber }).transform(({ number }) => number)

export const DepositLogsResult = z.array(
  z
    .object({ topics: z.array(Bytes(32)), data: Data, blockNumber: QuantityNumber, removed: z.boolean().default(false) })
    .transform(({ topics, data, blockNumber }, context): LoggedDeposit => {
      try {
        return { ...parseDepositEvent({ topics, data }), blockNumber }
      } catch (error) {
        context.addIssue(messageOf(error))
        return z.NEVER
      }
    }),
)

const Transaction = z
  .object({ hash: Bytes(32), from: Bytes(20), to: Bytes(20).nullish(), value: Quantity })
  .transform(({ hash, from, to, value }): ExecutionTransaction => ({ hash, from, valueWei: value, ...(to && { to }) }))

const Withdrawal = z
  .object({ index: Quantity, validatorIndex: Quantity, address: Bytes(20), amount: Quantity })
  .transform(({ amount, ...withdrawal }) => ({ ...withdrawal, amountGwei: amount }))

export const ExecutionBlockResult = z
  .object({
    number: QuantityNumber,
    hash: Bytes(32),
    miner: Bytes(20),
    baseFeePerGas: Quantity,
    withdrawals: z.array(Withdrawal).default([]),
    transactions: z.array(Transaction),
  })
  .transform(({ miner, ...block }): ExecutionBlock => ({ ...block, feeRecipient: miner }))

export const ReceiptsResult = z.array(
  z
    .object({ transactionHash: Bytes(32), gasUsed: Quantity, effectiveGasPrice: Quantity, status: Quantity })
    .transform(({ status, ...receipt }): Receipt => ({ ...receipt, succeeded: status === 1n })),
)
