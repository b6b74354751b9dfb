import { Catch, type RpcExceptionFilter } from '@nestjs/common'
import { type Observable, throwError } from 'rxjs'

/** Hands a handler's error on as it is: Nest's own filter would replace a Problem by "Internal server error". */
@Catch()
export class RethrowFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error)
  }
}
