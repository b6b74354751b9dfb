// The description of a chain, from which services, clients, deployments and documentation follow. The records are in `bitcoin-family.ts` and `evm.ts`.

export type ChainFamily = 'bitcoin' | 'evm'

interface Described {
  /** Its display name. */
  readonly title: string
  /** The unit that amounts are shown in, and its decimal places. */
  readonly unit: string
  readonly decimals: number
  /** The target block time. */
  readonly blockSeconds: number
  readonly explorer?: string
  /** Served unless other chains are configured. */
  readonly isDefault?: true
  /** A CSS colour. */
  readonly colour: string
  /** Images of the nodes area; the main network first. */
  readonly nodes?: {
    readonly images: readonly string[]
    /** A node that lags by no more is in sync. */
    readonly maxLagBlocks: number
  }
}

/** A chain of the Bitcoin family, with all its networks. */
export interface BitcoinRecord extends Described {
  readonly format: BitcoinFormat
  readonly networks: Partial<Readonly<Record<BitcoinNetworkName, BitcoinNetwork>>>
  /** The node's programs. */
  readonly daemon: string
  readonly cli: string
  /** The chain whose node may stand in for it in a devnet. */
  readonly standIn?: string
}

export const BITCOIN_NETWORKS = ['mainnet', 'testnet', 'testnet4', 'signet', 'regtest'] as const
export type BitcoinNetworkName = (typeof BITCOIN_NETWORKS)[number]

/** How its blocks, transactions and scripts differ from those of 2009. */
export interface BitcoinFormat {
  /** BIP 141, 143 and 144; BIP 341. */
  readonly witness?: true
  /** BIP 433: an output that anyone may spend, to pay for its transaction. */
  readonly anchors?: true
  /** LIP 3: Mimblewimble extension blocks. */
  readonly mweb?: true
  /** The rules of Bitcoin Cash: fork ids, Schnorr signatures, CashTokens, P2SH32, numbers of 64 bits, opcodes of its own. */
  readonly cash?: true
  /** Merged mining: a header of that version is followed by the proof of a parent chain's block. */
  readonly auxPow?: true
  /** DIP 2: a transaction may have a type, and a payload at its end. */
  readonly extraPayload?: true
  /** An output may be worth more than 2^53 of the smallest unit. */
  readonly largeValues?: true
  /** The hash that identifies a block. */
  readonly blockHash: 'sha256d' | 'x11'
  /** The proof-of-work hash, if it is another. */
  readonly workHash?: 'scrypt'
}

export interface BitcoinNetwork {
  readonly genesisHash: string
  /** A block that tells it from a chain with the same genesis block. */
  readonly forkBlock?: Checkpoint
  readonly pubKeyHashVersion: number
  /** All are accepted, the first is printed. */
  readonly scriptHashVersions: readonly number[]
  readonly bech32Prefix?: string
  readonly cashPrefix?: string
  /** BIP 32: the version bytes of `xpub` or `tpub`. */
  readonly extendedKeyVersion: number
  readonly subsidy: Subsidy
  readonly powLimit: bigint
  readonly insightNetwork: 'livenet' | 'testnet' | 'regtest'
  /** `chain` of the node's getblockchaininfo. */
  readonly nodeChain: string
  /** BIP 30: coinbases that a later one with the same txid overwrote while unspent; their outputs are gone. */
  readonly overwrittenCoinbases: readonly OverwrittenCoinbase[]
}

/** The block subsidy in the smallest unit; an average for blocks with a random one. */
interface Subsidy {
  readonly first: bigint
  /** The number of blocks after which it is halved, or reduced by one nth. */
  readonly interval: number
  readonly lessAnNth?: bigint
  /** The minimum. */
  readonly floor?: bigint
}

interface Checkpoint {
  readonly height: number
  readonly hash: string
}

interface OverwrittenCoinbase {
  readonly height: number
  readonly txid: string
}

/** A network of the Ethereum family; each has its own chain id and record. */
export interface EvmRecord extends Described {
  readonly network: EvmNetworkName
  readonly chainId: number
  /** If it differs from the chain id. */
  readonly networkId?: number
  readonly finality: FinalityRule
  /**
   * Whether a block's hash is that of its header's fields as on Ethereum, or made in another way. Left out where we do not know: then it is
   * checked once a block of our chain has shown that it is.
   */
  readonly headerHash?: HeaderHash
  readonly devnet?: EvmDevnet
}

/** What makes a block final. All but depth and `instant` are read from the nodes, by their tags `safe` and `finalized`. */
export type FinalityRule = FinalityName | { readonly depth: number }

export const FINALITY_NAMES = ['nodes', 'beacon', 'l1', 'milestones', 'instant'] as const
/**
 * `nodes`: as they report, within seconds; `beacon`: two epochs of a beacon chain; `l1`: the block of the L1 that has the batch, so that it may
 * stand still for hours; `milestones`: Polygon's, which a node may lack; `instant`: every block.
 */
type FinalityName = (typeof FINALITY_NAMES)[number]

export type HeaderHash = 'ethereum' | 'own'

/** `private`: a chain id without a record. */
type EvmNetworkName = 'mainnet' | 'testnet' | 'private'

/** What differs in a devnet. */
interface EvmDevnet {
  readonly chainId?: number
  readonly nodes?: number
  readonly hardfork?: string
}

interface Served {
  /** Also its base path, deployment, Postgres schema and prefix of environment variables. */
  readonly name: string
  /** The direct port in development. */
  readonly port: number
}

export type BitcoinChain = BitcoinRecord & Served & { readonly family: 'bitcoin'; readonly network: BitcoinNetworkName }
export type EvmChain = EvmRecord & Served & { readonly family: 'evm' }
/** A chain that this platform serves, on one of its networks. */
export type ServedChain = BitcoinChain | EvmChain
