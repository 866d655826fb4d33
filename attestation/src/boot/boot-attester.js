export {}
//# sourceMappingURL=boot-attester.js.map
