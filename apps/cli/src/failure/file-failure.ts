import { EXIT, Failure } from './failure.js'

/** An error of Node's own, with a code such as ENOENT. */
export function hasCode(error: unknown): error is { code: string; message: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left on the disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EISDIR', 'it is a folder'],
])

/** Explains why a file cannot be read or written; any other error stays as it is. */
export function fileFailure(error: unknown, file: string, verb: 'read' | 'written', advice: string): unknown {
  const reason = hasCode(error) && REASONS.get(error.code)
  return reason ? new Failure(EXIT.unexpected, `${file} cannot be ${verb}: ${reason}.`, advice) : error
}
