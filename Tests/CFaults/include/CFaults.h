// Empty: nothing is linked with this library, which programs preload.
