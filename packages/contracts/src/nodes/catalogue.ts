import { z } from 'zod'
import { can, endpoint } from '../endpoint.js'
import { Image, NodePerformance, ServiceId } from './shapes.js'

export const ChainDescriptor = z
  .object({ chain: Image, network: z.string(), software: z.string().meta({ description: '`<software>-<version>`' }) })
  .meta({ id: 'ChainDescriptor' })
export type ChainDescriptor = z.infer<typeof ChainDescriptor>

export const CatalogueService = z
  .object({
    id: ServiceId,
    chain: Image,
    network: z.string(),
    metadata: z.object({
      software: z.string(),
      version: z.string(),
      performance: NodePerformance,
      amiPrefix: z.string(),
      cpus: z.number(),
      memoryMiB: z.int(),
      diskGiB: z.int(),
      verifiedAt: z.iso.date().meta({ description: 'When this entry was last verified.' }),
      mustUpgradeBefore: z.iso.date().nullable(),
    }),
    vendor: z.object({ name: z.string(), region: z.string(), instanceType: z.string() }),
    disabled: z.boolean(),
    missing: z.string().nullable().meta({ description: 'What this deployment lacks to create it.' }),
  })
  .meta({ id: 'CatalogueService' })
export type CatalogueService = z.infer<typeof CatalogueService>

const chains = { method: 'GET', access: 'public', status: 200, reply: z.array(ChainDescriptor) } as const
const services = { method: 'GET', access: can('nodes:read'), status: 200, reply: z.array(CatalogueService) } as const
const CHAINS = 'The nodes that this deployment can create.'
const SERVICES = 'The catalogue: every kind of node with its size.'

export const catalogue = {
  chains: endpoint({ ...chains, path: '/chains', summary: CHAINS }),
  nodeChains: endpoint({ ...chains, path: '/chains/nodes', summary: CHAINS }),
  clusterChains: endpoint({ ...chains, path: '/chains/clusters', summary: 'The nodes that clusters can be made of.' }),
  clusterChainsOld: endpoint({ ...chains, path: '/chains/cluster', summary: 'The same, at its former path.' }),
  nodeServices: endpoint({ ...services, path: '/services/nodes', summary: SERVICES }),
  clusterServices: endpoint({ ...services, path: '/services/clusters', summary: SERVICES }),
  clusterServicesOld: endpoint({ ...services, path: '/services/cluster', summary: 'The same, at its former path.' }),
  disable: endpoint({
    method: 'DELETE',
    path: '/services/{id}',
    summary: 'Disable a catalogue entry. Existing nodes are not affected.',
    access: 'manager',
    params: z.object({ id: ServiceId }),
    status: 200,
    reply: z.object({ id: ServiceId, disabled: z.boolean() }),
    problems: ['UnknownService'],
  }),
  enable: endpoint({
    method: 'PUT',
    path: '/services/{id}',
    summary: 'Enable a catalogue entry.',
    access: 'manager',
    params: z.object({ id: ServiceId }),
    status: 200,
    reply: z.object({ id: ServiceId, disabled: z.boolean() }),
    problems: ['UnknownService'],
  }),
}
