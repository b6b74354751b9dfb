import { z } from 'zod'
import { OrganizationId } from '../accounts/organizations.js'
import { can, canInPerson, endpoint } from '../endpoint.js'
import { Digits, Idempotent, Timestamp } from '../fields.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** An address of the execution chain; the service checks the checksum of mixed-case addresses (EIP-55). */
const Address = z.string().regex(ADDRESS, 'must be an address: 0x and 40 hexadecimal digits')

/** With or without 0x, in either case; parsed to lower case without 0x. */
export const PublicKey = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{96}$/, 'must be the public key of a validator: 96 hexadecimal digits')
  .transform((key) => key.replace(/^0x/, '').toLowerCase())
  .meta({ type: 'string', pattern: '^(0x)?[0-9a-fA-F]{96}$' })

export const ChainParams = z.object({ chain: z.string() })
export const ValidatorParams = ChainParams.extend({ pubkey: PublicKey })

export const VALIDATOR_STATUSES = ['pending', 'active', 'exiting', 'exited', 'slashed', 'withdrawn', 'unknown'] as const
export const ValidatorStatus = z.enum(VALIDATOR_STATUSES)
export type ValidatorStatus = z.infer<typeof ValidatorStatus>

/** More detailed than `status`. */
export const VALIDATOR_PHASES = [
  ...(['created', 'ready', 'deposited', 'queued', 'active', 'exiting', 'exited', 'withdrawn'] as const),
  // Somebody else's deposit bound the key to another withdrawal address: it must never be used.
  'spoiled',
] as const
export const ValidatorPhase = z.enum(VALIDATOR_PHASES)
export type ValidatorPhase = z.infer<typeof ValidatorPhase>

const common = {
  chain: z.string(),
  pubkey: z.string().meta({ description: '96 hexadecimal digits, lower case, without 0x.' }),
  region: z.string(),
  balance: Digits.meta({ description: 'In wei.' }),
  status: ValidatorStatus,
}

const When = Timestamp.nullable()

export const Validator = z
  .object({
    id: z.string().meta({ description: '`<chain>:<pubkey>`' }),
    ...common,
    feeAddress: z.string(),
    startedAt: Timestamp.meta({ description: 'When it was created on this platform.' }),
    user: z.string().meta({ description: 'Who created it.' }),
    organization: z.string().meta({ description: 'Who owns it.' }),
    withdrawalAddress: z.string(),
    compounding: z.boolean(),
    effectiveBalance: Digits.meta({ description: 'In wei.' }),
    index: z.int().nullable().meta({ description: 'Its validator index on the chain.' }),
    phase: ValidatorPhase,
    note: z.string().nullable().meta({ description: 'What it is waiting for, or what is wrong and what to do.' }),
    slashed: z.boolean(),
    readyAt: When.meta({ description: 'When a validator client had its key and fee address: from then on the deposit can be sent.' }),
    depositedAt: When,
    activatedAt: When,
    exitRequestedAt: When,
    exitingAt: When,
    exitedAt: When,
    withdrawnAt: When,
    depositData: z
      .string()
      .nullable()
      .meta({ description: 'Call data for the deposit contract; null once deposited, or if it must not be.' }),
    asOf: When.meta({ description: 'When its state was last read from the chain.' }),
    removedAt: Timestamp.optional().meta({ description: 'Of a deleted one.' }),
    restorableUntil: Timestamp.optional().meta({ description: 'Of a deleted one: until then its key stays at its validator client.' }),
  })
  .meta({ id: 'Validator' })
export type Validator = z.infer<typeof Validator>

export const NewValidator = z
  .object({
    withdrawalAddress: Address.meta({
      description:
        'Receives the stake and all withdrawals; it can never be changed. A mixed-case address must have a valid checksum (EIP-55).',
    }),
    feeAddress: Address.optional().meta({ description: 'Receives the fees of its blocks; by default the withdrawal address.' }),
    region: z.string().max(100).optional(),
    compounding: z
      .boolean()
      .default(false)
      .meta({ description: 'Rewards are added to the stake, up to 2048 ETH (0x02 credentials, EIP-7251).' }),
  })
  .meta({ id: 'NewValidator' })
export type NewValidator = z.output<typeof NewValidator>

export const CreatedValidator = z
  .object({ ...common, depositData: z.string().meta({ description: 'Call data for the deposit contract; send 32 ETH with it.' }) })
  .meta({ id: 'CreatedValidator' })
export type CreatedValidator = z.infer<typeof CreatedValidator>

const FeeAddressChange = z.object({ feeAddress: Address }).meta({ id: 'FeeAddressChange' })

export const ExitConfirmation = z
  .object({
    /** As it was signed. */
    confirmationDate: z.iso.datetime({ offset: true }).optional(),
    confirmationSignature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, 'must be a signature: 0x and 130 hexadecimal digits')
      .optional(),
  })
  .meta({
    id: 'ExitConfirmation',
    description: 'An ERC-191 signature of `{chain}:{pubkey}:{confirmationDate}` by the withdrawal address, if the service requires one.',
  })
export type ExitConfirmation = z.output<typeof ExitConfirmation>

export const validators = {
  list: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/validators',
    summary: 'The validators of the organization on a chain, oldest first.',
    access: can('staking:read'),
    params: ChainParams,
    query: z.object({
      deleted: z
        .stringbool()
        .default(false)
        .meta({ type: 'boolean', description: 'Instead those that were deleted and can be restored, the last one first.' }),
    }),
    status: 200,
    reply: z.array(Validator),
    problems: ['UnknownChain'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/staking/ethereum/{chain}/validators/{pubkey}',
    summary: 'One validator.',
    access: can('staking:read'),
    params: ValidatorParams,
    status: 200,
    reply: Validator,
    problems: ['UnknownChain', 'UnknownValidator'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/staking/ethereum/{chain}/validators',
    creates: true,
    summary:
      'Create a validator: a key in a region, and the deposit to send. Requests with the same `Idempotency-Key` create one validator.',
    access: can('staking:create'),
    params: ChainParams,
    headers: Idempotent,
    body: NewValidator,
    status: 200,
    reply: CreatedValidator,
    problems: ['UnknownChain', 'UnknownRegion', 'InvalidAddress', 'IdempotencyKeyReused', 'LimitExceeded', 'ChainUnavailable'],
  }),
  changeFeeAddress: endpoint({
    method: 'PUT',
    path: '/staking/ethereum/{chain}/validators/{pubkey}',
    stepUp: true,
    audit: 'fee-recipient-changed',
    summary: 'Change its fee address; responds once its validator client has it.',
    access: can('staking:update'),
    params: ValidatorParams,
    body: FeeAddressChange,
    status: 204,
    problems: ['UnknownChain', 'UnknownValidator', 'InvalidAddress', 'SignerUnavailable'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/staking/ethereum/{chain}/validators/{pubkey}',
    stepUp: true,
    summary:
      'Remove it from the list. For 72 hours it can be restored, and as long as it stakes: an active validator keeps signing until it has exited.',
    access: can('staking:delete'),
    params: ValidatorParams,
    status: 204,
    problems: ['UnknownChain', 'UnknownValidator', 'ValidatorStaking'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/staking/ethereum/{chain}/validators/{pubkey}/restore',
    summary: 'Take a deleted validator back into the list.',
    access: can('staking:delete'),
    params: ValidatorParams,
    status: 204,
    problems: ['UnknownChain', 'UnknownValidator', 'LimitExceeded'],
  }),
  transfer: endpoint({
    method: 'PUT',
    path: '/staking/ethereum/{chain}/validators/{pubkey}/organization',
    stepUp: true,
    audit: 'ownership-transferred',
    summary: 'Give it to another organization in which you may create validators. Days that are over stay on the bill of the former one.',
    access: canInPerson('staking:delete'),
    params: ValidatorParams,
    body: z.object({ organization: OrganizationId }).meta({ id: 'ValidatorTransfer' }),
    status: 200,
    reply: Validator,
    problems: ['UnknownChain', 'UnknownValidator', 'UnknownOrganization', 'MissingPermission'],
  }),
  exit: endpoint({
    method: 'POST',
    path: '/staking/ethereum/{chain}/validators/{pubkey}/validatorExit',
    stepUp: true,
    audit: 'exit-requested',
    summary: 'Exit the validator; everything is paid to its withdrawal address. This cannot be undone.',
    access: can('staking:exit'),
    params: ValidatorParams,
    body: ExitConfirmation.optional(),
    status: 204,
    problems: ['UnknownChain', 'UnknownValidator', 'ExitNotConfirmed'],
  }),
}
