import { readFileSync } from 'node:fs'
import { Inject, Injectable } from '@nestjs/common'
import type { CatalogueService, ChainDescriptor } from '@trestle/contracts/nodes/catalogue'
import type { Image } from '@trestle/contracts/nodes/shapes'
import { Problem } from '@trestle/problem/problem'
import { NodeDriver } from '../drivers/driver.js'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { WorkloadKind } from '../workloads/workload.js'
import { AvailabilityService } from './availability.service.js'
import type { Blueprint } from './blueprint.js'
import { builtInCatalogue, type Catalogue, findByImage, parseCatalogue } from './catalogue.js'
import { CatalogueRepository } from './catalogue.repository.js'

/** An image in a size, or an entry by its id. */
type EntryChoice = { readonly image: Image; readonly large: boolean } | { readonly serviceId: string }

/** The entries of the catalogue, and which of them can be made here. */
@Injectable()
export class CatalogueEntriesService {
  private readonly catalogue: Catalogue

  constructor(
    @Inject(ENV) { CATALOGUE_FILE, DRIVER }: Pick<NodesEnv, 'CATALOGUE_FILE' | 'DRIVER'>,
    private readonly driver: NodeDriver,
    private readonly availability: AvailabilityService,
    private readonly repository: CatalogueRepository,
  ) {
    this.catalogue = CATALOGUE_FILE ? parseCatalogue(readFileSync(CATALOGUE_FILE, 'utf8')) : builtInCatalogue(DRIVER)
  }

  /** Throws a Problem, with what is missing, if nothing can be made of it here. */
  async choose(choice: EntryChoice, kind: WorkloadKind): Promise<Blueprint> {
    const blueprint = this.find(choice)
    if ((await this.repository.listDisabled()).has(blueprint.serviceId)) throw unavailable(blueprint, 'An administrator has disabled it.')
    const missing = await this.availability.missing(blueprint, kind)
    if (missing) throw unavailable(blueprint, missing)
    return blueprint
  }

  async chains(kind: WorkloadKind): Promise<ChainDescriptor[]> {
    const services = await this.services(kind)
    const offered = services.filter(({ disabled, missing }) => !disabled && missing === null)
    const descriptors = offered.map(({ chain, network, metadata: { software } }) => ({ chain, network, software }))
    // Both sizes are the same chain.
    return [...new Map(descriptors.map((each) => [JSON.stringify(each), each])).values()]
  }

  async services(kind: WorkloadKind): Promise<CatalogueService[]> {
    const disabled = await this.repository.listDisabled()
    return Promise.all(
      this.catalogue.map(async (each) =>
        this.describe(each, disabled.has(each.serviceId), await this.availability.recentlyMissing(each, kind)),
      ),
    )
  }

  async disable(id: string): Promise<{ id: string; disabled: boolean }> {
    await this.repository.disable(this.find({ serviceId: id }).serviceId)
    return { id, disabled: true }
  }

  async enable(id: string): Promise<{ id: string; disabled: boolean }> {
    await this.repository.enable(this.find({ serviceId: id }).serviceId)
    return { id, disabled: false }
  }

  private find(choice: EntryChoice): Blueprint {
    if ('serviceId' in choice) {
      const found = this.catalogue.find(({ serviceId }) => serviceId === choice.serviceId)
      if (found) return found
      throw new Problem('unknown', 'UnknownService', 'There is no such service: GET /services/nodes lists them.')
    }
    const found = findByImage(this.catalogue, choice.image, choice.large ? 'large' : 'standard')
    if (found) return found
    throw new Problem('conflict', 'ImageUnavailable', `The catalogue of this deployment has no ${choice.image}.`)
  }

  private describe(blueprint: Blueprint, disabled: boolean, missing?: string): CatalogueService {
    const { serviceId: id, chain, network, software, version, performance, amiPrefix } = blueprint
    const { cpus, memoryMiB, diskGiB, verifiedAt, mustUpgradeBefore = null, instanceType } = blueprint
    const { name, region } = this.driver.vendor
    return {
      id,
      chain,
      network,
      metadata: { software, version, performance, amiPrefix, cpus, memoryMiB, diskGiB, verifiedAt, mustUpgradeBefore },
      vendor: { name, region, instanceType },
      disabled,
      missing: missing ?? null,
    }
  }
}

function unavailable({ chain, performance }: Blueprint, missing: string): Problem {
  return new Problem('conflict', 'ImageUnavailable', `This deployment cannot start ${chain} (${performance}). ${missing}`)
}
