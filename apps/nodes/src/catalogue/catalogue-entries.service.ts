import { readFileSync } from 'node:fs'
import { Inject, Injectable } from '@nestjs/common'
import type { CatalogueService, ChainDescriptor } from '@trestle/contracts/nodes/catalogue'
import type { Image } from '@trestle/contracts/nodes/shapes'
import { Problem } from '@trestle/problem/problem'
import { NodeDriver } from '../drivers/driver.js'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { AvailabilityService, type Purpose } from './availability.service.js'
import type { Blueprint } from './blueprint.js'
import { builtInCatalogue, type Catalogue, findByImage, parseCatalogue } from './catalogue.js'
import { CatalogueRepository } from './catalogue.repository.js'

/** What is asked for: an image of a size, or an entry of the catalogue. */
export type EntryChoice = { readonly image: Image; readonly large: boolean } | { readonly serviceId: string }

/** What nodes and clusters can be made of here. */
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

  /** Rejects with what is missing where none can be made of it here. */
  async choose(choice: EntryChoice, purpose: Purpose): Promise<Blueprint> {
    const blueprint = this.find(choice)
    if ((await this.repository.disabled()).has(blueprint.serviceId)) throw unavailable(blueprint, 'An administrator has disabled it.')
    const missing = await this.availability.missing(blueprint, purpose)
    if (missing) throw unavailable(blueprint, missing)
    return blueprint
  }

  async chains(purpose: Purpose): Promise<ChainDescriptor[]> {
    const services = await this.services(purpose)
    const offered = services.filter(({ disabled, missing }) => !disabled && missing === null)
    const descriptors = offered.map(({ chain, network, metadata: { software } }) => ({ chain, network, software }))
    // Both sizes are one chain.
    return [...new Map(descriptors.map((each) => [JSON.stringify(each), each])).values()]
  }

  async services(purpose: Purpose): Promise<CatalogueService[]> {
    const disabled = await this.repository.disabled()
    return Promise.all(
      this.catalogue.map(async (each) =>
        this.describe(each, disabled.has(each.serviceId), await this.availability.recentlyMissing(each, purpose)),
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
      throw new Problem('unknown', 'UnknownService', 'There is no such service: GET /services/nodes lists what there is.')
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
