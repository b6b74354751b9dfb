import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The root of the workspace, seen from `src` and from `dist` alike. */
export const WORKSPACE = join(import.meta.dirname, '../../..')

export function isBuilt(app: string): boolean {
  return existsSync(join(WORKSPACE, 'apps', app, 'dist/main.js'))
}

export function hasMigrations(app: string): boolean {
  return existsSync(join(WORKSPACE, 'prisma', app, 'migrations'))
}
