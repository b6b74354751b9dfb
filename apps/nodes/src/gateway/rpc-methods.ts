import type { ChainFamily } from '@trestle/contracts/chains/chain'
import type { DaemonName } from '../catalogue/blueprint.js'

/** What a call does: `read` may go to any member, and again; `send` goes to all; `make` makes blocks; a filter lives in the member that made it. */
export type MethodKind = 'read' | 'send' | 'make' | 'filter-new' | 'filter'

// All else is refused: wallets, keys, whatever controls the node, its peers or its view of the chain, and calls that wait.
// `debug_trace*` and `trace_*` too: they run for as long as the transaction does, and would hold up other calls.

const BITCOIN_READS = `
  getbestblockhash getblock getblockchaininfo getblockcount getblockfilter getblockhash getblockheader getblockstats getchainstates
  getchaintips getchaintxstats getdeploymentinfo getdifficulty getdescriptoractivity getmempoolancestors getmempoolcluster
  getmempooldescendants getmempoolentry getmempoolinfo getmempoolfeeratediagram getorphantxs getrawmempool gettxout gettxoutproof
  gettxoutsetinfo gettxspendingprevout scanblocks scantxoutset verifytxoutproof
  getmininginfo getnetworkhashps
  analyzepsbt combinepsbt combinerawtransaction converttopsbt createpsbt createrawtransaction decodepsbt decoderawtransaction decodescript
  finalizepsbt getrawtransaction joinpsbts testmempoolaccept utxoupdatepsbt
  createmultisig deriveaddresses estimaterawfee estimatesmartfee getdescriptorinfo getindexinfo validateaddress verifymessage
  getconnectioncount getnettotals getnetworkinfo getpeerinfo help uptime
  estimatefee getexcessiveblock getfinalizedblockhash getdsproof getdsprooflist getdsproofscore getinfo`

const EVM_READS = `
  eth_chainId eth_protocolVersion eth_syncing eth_coinbase eth_mining eth_hashrate eth_blockNumber eth_config eth_capabilities
  eth_gasPrice eth_maxPriorityFeePerGas eth_baseFee eth_blobBaseFee eth_feeHistory
  eth_getBlockByNumber eth_getBlockByHash eth_getBlockReceipts eth_getBlockAccessList eth_getHeaderByNumber eth_getHeaderByHash
  eth_getBlockTransactionCountByNumber eth_getBlockTransactionCountByHash eth_getUncleCountByBlockNumber eth_getUncleCountByBlockHash
  eth_getUncleByBlockNumberAndIndex eth_getUncleByBlockHashAndIndex
  eth_getTransactionByBlockNumberAndIndex eth_getTransactionByBlockHashAndIndex eth_getTransactionByHash eth_getTransactionReceipt
  eth_getRawTransactionByHash eth_getRawTransactionByBlockNumberAndIndex eth_getRawTransactionByBlockHashAndIndex eth_getLogs
  eth_getBalance eth_getCode eth_getTransactionCount eth_getAccount eth_getStorageAt eth_getStorageValues eth_getProof
  eth_call eth_estimateGas eth_createAccessList eth_simulateV1
  net_version net_listening net_peerCount web3_clientVersion web3_sha3`

const METHODS: Record<ChainFamily, ReadonlyMap<string, MethodKind>> = {
  bitcoin: table({ read: BITCOIN_READS, send: 'sendrawtransaction submitpackage', make: 'generatetoaddress generateblock' }),
  evm: table({
    read: EVM_READS,
    send: 'eth_sendRawTransaction',
    make: 'evm_mine',
    'filter-new': 'eth_newFilter eth_newBlockFilter eth_newPendingTransactionFilter',
    filter: 'eth_getFilterChanges eth_getFilterLogs eth_uninstallFilter',
  }),
}

/** Networks whose blocks the owner makes, and those whom the owner lets in. */
const OWN_CHAINS = new Set(['regtest', 'dev'])
/** They make blocks themselves, and know no call for it. */
const SELF_MADE = new Set<DaemonName>(['geth', 'core-geth'])

/** Undefined where the method is not offered. */
export function methodKindOf(
  method: string,
  { family, network, daemon, isOpen = false }: { family: ChainFamily; network: string; daemon?: DaemonName; isOpen?: boolean },
): MethodKind | undefined {
  const kind = METHODS[family].get(method)
  return kind === 'make' && (isOpen || !OWN_CHAINS.has(network) || (daemon && SELF_MADE.has(daemon))) ? undefined : kind
}

function table(names: Partial<Record<MethodKind, string>>): ReadonlyMap<string, MethodKind> {
  return new Map(
    Object.entries(names).flatMap(([kind, list]) =>
      list
        .trim()
        .split(/\s+/)
        .map((name) => [name, kind as MethodKind] as const),
    ),
  )
}
