import { mkdtempSync, rmSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Image, NodePerformance } from '@trestle/contracts/nodes/shapes'
import { workerFolder } from '@trestle/testing/worker-folder'
import type { Blueprint } from '../../src/catalogue/blueprint.js'
import { builtInCatalogue, findByImage } from '../../src/catalogue/catalogue.js'
import type { LocalParts } from '../../src/drivers/local/launcher.service.js'
import { LocalDriver, localParts } from '../../src/drivers/local/local-driver.engine.js'
import type { LocalSettings } from '../../src/drivers/local/local-settings.js'
import { Processes } from '../../src/drivers/local/processes.engine.js'
import { ProbeClient } from '../../src/software/probe.client.js'
import { DriverInterrupted } from '../fake-driver.js'
import { type DriverHarness, retryUntilDefined } from './driver-suite.js'

const catalogue = builtInCatalogue('local')

export interface LocalHarness extends DriverHarness {
  readonly driver: () => LocalDriver
  readonly settings: LocalSettings
  readonly probe: ProbeClient
}

export function localBlueprint(image: Image, performance: NodePerformance = 'standard'): Blueprint {
  const found = findByImage(catalogue, image, performance)
  if (!found) throw new Error(`There is no ${image} in the catalogue.`)
  return found
}

/** `program`: in place of that of the catalogue. */
export async function localHarness(
  image: Image,
  programs: LocalSettings['programs'],
  program: Partial<Blueprint> = {},
): Promise<LocalHarness> {
  const dataDir = mkdtempSync(join(workerFolder(), 'nodes-'))
  const settings: LocalSettings = { installation: 'testing', dataDir, programs, path: '', nodePorts: [21_000, 21_999] }
  const blueprint = { ...localBlueprint(image), ...program }
  const drivers: LocalDriver[] = []
  const probe = new ProbeClient()
  const processes = new Processes()
  const folderOf = (id: string) => join(dataDir, id)
  function remember(driver: LocalDriver): LocalDriver {
    drivers.push(driver)
    return driver
  }
  return {
    settings,
    probe,
    blueprint,
    other: { ...localBlueprint(image, 'large'), ...program },
    impossible: { blueprint: { ...blueprint, network: 'mainnet' }, message: /runs private chains for development only/ },
    driver: () => remember(new LocalDriver(settings)),
    interruptedAt(step) {
      const driver: LocalDriver = remember(
        new LocalDriver(
          settings,
          breaking(localParts(settings), step, () => driver.onApplicationShutdown()),
        ),
      )
      return driver
    },
    programs: async (id) => (await processes.findByFolder(folderOf(id))).length,
    isLeft: (id) =>
      access(folderOf(id)).then(
        () => true,
        () => false,
      ),
    async crash(id) {
      await retryUntilDefined(async () => {
        const living = await processes.findByFolder(folderOf(id))
        for (const identity of living) await processes.signal(identity, folderOf(id), 'SIGKILL')
        return living.length === 0 || undefined
      })
    },
    async call({ password }, { address }) {
      if (!address) throw new Error('It has no address.')
      const seen = await probe.probe({ blueprint, password, address })
      if (seen.warmingUp) throw new Error(seen.warmingUp)
    },
    async close() {
      for (const driver of drivers) driver.onApplicationShutdown()
      await probe.onApplicationShutdown()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const EFFECTS = new Set([
  'create',
  'update',
  'writeProcess',
  'writeConfig',
  'remove',
  'start',
  'signal',
  'rotateLog',
  'setAsideIfTruncated',
])

/** Parts that change something so many times, and then do nothing any more: as those of a service that was killed between two changes. */
function breaking(parts: LocalParts, steps: number, onBreak: () => void): LocalParts {
  let left = steps
  const guarded = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (EFFECTS.has(String(name)) && left-- <= 0) {
            onBreak()
            throw new DriverInterrupted(String(name))
          }
          return value.apply(target, args)
        }
      },
    })
  return { ...parts, folders: guarded(parts.folders), processes: guarded(parts.processes), storage: guarded(parts.storage) }
}
