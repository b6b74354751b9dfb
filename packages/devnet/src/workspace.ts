import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The root of the workspace, seen from `src` and from `dist` alike. */
export const WORKSPACE = join(import.meta.dirname, '../../..')

/** What Node keeps of the programs it has compiled: they start the sooner. */
export const COMPILE_CACHE_ENV = { NODE_COMPILE_CACHE: join(WORKSPACE, '.data/compiled') }

export function isBuilt(app: string): boolean {
  return existsSync(join(WORKSPACE, 'apps', app, 'dist/main.js'))
}

export function hasMigrations(app: string): boolean {
  return existsSync(join(WORKSPACE, 'prisma', app, 'migrations'))
}
