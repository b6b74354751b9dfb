import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The program that a variable names; refuses what is none. */
export function namedProgram(variable: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = env[variable]
  if (path && !isExecutable(path)) throw new Error(`${variable} names ${path}, which is not a program.`)
  return path || undefined
}

/** The program of this name in the first folder that has it. */
export function programIn(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

export function foldersOfPath({ PATH = '' }: NodeJS.ProcessEnv): string[] {
  return PATH.split(delimiter)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
