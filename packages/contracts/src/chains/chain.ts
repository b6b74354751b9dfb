// What a chain is, for everything that serves, calls, shows, deploys or documents one. The records are `bitcoin-family.ts` and `evm.ts`.

export type ChainFamily = 'bitcoin' | 'evm'

interface Described {
  /** What people call it. */
  readonly title: string
  /** The unit that amounts are shown in, and how many decimal places it has. */
  readonly unit: string
  readonly decimals: number
  /** The time between two blocks that the chain aims at. */
  readonly blockSeconds: number
  readonly explorer?: string
  /** A platform serves it unless it is told which chains to serve. */
  readonly isDefault?: true
  /** What stands for it where there is no room for words: a CSS colour. */
  readonly colour: string
  /** The kinds of node that the nodes area makes of it; the main network first. */
  readonly nodes?: {
    readonly images: readonly string[]
    /** A node that is no further behind than this is up to date. */
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
  /** Whose node may stand in for it in a devnet. */
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
  /** What a block is known by. */
  readonly blockHash: 'sha256d' | 'x11'
  /** What its work is measured by, where that is not the hash it is known by. */
  readonly workHash?: 'scrypt'
}

export interface BitcoinNetwork {
  readonly genesisHash: string
  /** A block only this chain has, where the genesis block is shared with another one. */
  readonly forkBlock?: Checkpoint
  readonly pubKeyHashVersion: number
  /** All are accepted, the first is printed. */
  readonly scriptHashVersions: readonly number[]
  readonly bech32Prefix?: string
  readonly cashPrefix?: string
  /** BIP 32: what makes `xpub` or `tpub` of an extended public key. */
  readonly extendedKeyVersion: number
  readonly subsidy: Subsidy
  readonly powLimit: bigint
  readonly insightNetwork: 'livenet' | 'testnet' | 'regtest'
  /** `chain` of the node's getblockchaininfo. */
  readonly nodeChain: string
  /** BIP 30: coinbases that a later one with the same txid overwrote while unspent; their outputs are gone. */
  readonly overwrittenCoinbases: readonly OverwrittenCoinbase[]
}

/** What a block creates, in the smallest unit; on average, where a chain once drew lots. */
interface Subsidy {
  readonly first: bigint
  /** After so many blocks it is less: by half, or by this part of it. */
  readonly interval: number
  readonly lessAnNth?: bigint
  /** It never is less than this. */
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

/** One network of the Ethereum family: each has an id, and so a record, of its own. */
export interface EvmRecord extends Described {
  readonly network: EvmNetworkName
  readonly chainId: number
  /** Where it differs from the chain id. */
  readonly networkId?: number
  /** A block so far under the head is final; left out, the chain's nodes say which are. */
  readonly finalityDepth?: number
  readonly devnet?: EvmDevnet
}

/** `private`: one with an id that the table does not know. */
type EvmNetworkName = 'mainnet' | 'testnet' | 'private'

/** What differs where `npm start` makes a chain of it. */
interface EvmDevnet {
  readonly chainId?: number
  readonly nodes?: number
  readonly hardfork?: string
}

interface Served {
  /** Its base path, its deployment, its schema in Postgres, the beginning of its environment variables. */
  readonly name: string
  /** The direct port in development. */
  readonly port: number
}

export type BitcoinChain = BitcoinRecord & Served & { readonly family: 'bitcoin'; readonly network: BitcoinNetworkName }
export type EvmChain = EvmRecord & Served & { readonly family: 'evm' }
/** A chain as this platform serves it: its record, its name, and which of its networks. */
export type ServedChain = BitcoinChain | EvmChain
