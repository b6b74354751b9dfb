import { Catch, type RpcExceptionFilter } from '@nestjs/common'
import { type Observable, throwError } from 'rxjs'

/** Rethrows a handler's error: Nest's own filter would replace a Problem by "Internal server error". */
@Catch()
export class RethrowFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error)
  }
}
