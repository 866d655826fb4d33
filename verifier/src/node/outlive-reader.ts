/** Whoever reads a stream may go before it ends (`| head`): that ends no command, and changes no exit code. */
export const outliveReader = (stream: NodeJS.WritableStream): void => {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
