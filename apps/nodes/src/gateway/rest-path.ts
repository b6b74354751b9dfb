const HASH = '[0-9a-fA-F]{64}'
const FORM = '\\.(?:bin|hex|json)'
const COUNT = '\\d{1,5}'

// The REST interface of bitcoind, as its doc/REST-interface.md lists it.
const PATHS = [
  `tx/${HASH}${FORM}`,
  `block/${HASH}${FORM}`,
  `block/notxdetails/${HASH}${FORM}`,
  `blockpart/${HASH}${FORM}`,
  `headers/(?:${COUNT}/)?${HASH}${FORM}`,
  `blockfilterheaders/basic/(?:${COUNT}/)?${HASH}${FORM}`,
  `blockfilter/basic/${HASH}${FORM}`,
  `spenttxouts/${HASH}${FORM}`,
  `blockhashbyheight/\\d{1,10}${FORM}`,
  'chaininfo\\.json',
  `deploymentinfo(?:/${HASH})?\\.json`,
  'mempool/(?:info|contents)\\.json',
  `getutxos(?:/checkmempool)?(?:/${HASH}-\\d{1,10}){1,15}${FORM}`,
]
const KNOWN = new RegExp(`^/rest/(?:${PATHS.join('|')})(?:\\?(?:(?:count|verbose|mempool_sequence|offset|size)=\\w{1,10}&?)*)?$`)

/** Whether bitcoind has this path, as it was sent: with nothing in it that a node could read differently. */
export function isRestPath(path: string): boolean {
  return KNOWN.test(path)
}
