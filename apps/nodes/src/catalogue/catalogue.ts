import { createHash } from 'node:crypto'
import { type Image, NODE_PERFORMANCES, type NodePerformance } from '@trestle/contracts/nodes/shapes'
import { z } from 'zod'
import { Blueprint } from './blueprint.js'
import { type CatalogueEntry, LOCAL_ENTRIES, PUBLIC_ENTRIES, VERIFIED_AT } from './entries.js'

/** The entries, in order of preference. */
export type Catalogue = readonly Blueprint[]

const CatalogueFile = z.array(Blueprint).check(({ value, issues }) => {
  const ids = value.map(({ serviceId }) => serviceId)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice) issues.push({ code: 'custom', input: value, message: `${twice} is listed twice` })
})

export function builtInCatalogue(driver: string): Catalogue {
  return (driver === 'local' ? LOCAL_ENTRIES : PUBLIC_ENTRIES).flatMap((entry) =>
    NODE_PERFORMANCES.map((performance) => blueprintOf(driver, entry, performance)),
  )
}

/** The operator's own catalogue; the error lists every mistake with its place. */
export function parseCatalogue(text: string): Catalogue {
  const parsed = CatalogueFile.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(`CATALOGUE_FILE is not valid:\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** The first entry of an image and a size. */
export function findByImage(catalogue: Catalogue, chain: Image, performance: NodePerformance): Blueprint | undefined {
  return catalogue.find((each) => each.chain === chain && each.performance === performance)
}

function blueprintOf(driver: string, entry: CatalogueEntry, performance: NodePerformance): Blueprint {
  const { chain, network, daemon, name, version, port, image } = entry
  const software = `${name}-${version.split('.').slice(0, 2).join('.')}`
  return Blueprint.parse({
    serviceId: `service-${uuidOf([driver, chain, network, software, performance].join('/'))}`,
    chain,
    network,
    daemon,
    software,
    version,
    performance,
    ...entry[performance],
    ports: [port],
    container: image === undefined ? undefined : { image },
    amiPrefix: driver === 'aws-ec2' ? `trestle-${software}-` : '',
    quickSync: driver === 'aws-ec2' && performance === 'large',
    verifiedAt: VERIFIED_AT,
  })
}

/** The same in every installation (UUIDv8, RFC 9562 section 5.8). */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`trestle service ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
